import { expect, it } from 'vitest'
import { QueryError } from '../../../src/errors.ts'

it('shows nothing secret', () => {
  console.log('an ordinary line')
  expect(new QueryError('start is after end', { argument: 'start', value: '2024-01-01' }).argument).toBe('start')
})
