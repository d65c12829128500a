import { expect, it } from 'vitest'
import { QueryError } from '../../../src/errors.ts'
import { TEST_PASSWORD } from '../secrets.ts'

it('makes an error that nobody looks at', () => {
  const error = new QueryError('refused', { argument: 'note', value: `I am ${TEST_PASSWORD}` })
  expect(error.argument).toBe('note')
})
