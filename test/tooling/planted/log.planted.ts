import { it } from 'vitest'
import { silentLogger } from '../../../src/logger.ts'
import { TEST_API_KEY } from '../secrets.ts'

it('logs a key, even where nobody listens', () => {
  silentLogger.info(`asking with ${TEST_API_KEY}`)
})
