import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { TEST_USERNAME } from '../secrets.ts'
import { tempFolder } from '../temp-folder.ts'

it('leaves a file with an account in it', () => {
  writeFileSync(join(tempFolder(), 'rows.csv'), `fetched_by,${TEST_USERNAME}\n`)
})
