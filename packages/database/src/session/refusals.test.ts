import { expect, test } from 'vitest'
import { refusedWrites } from './refusals.ts'

const FULL = { code: '53100', message: 'could not extend file "base/1/2": No space left on device' }

test.each([
  FULL,
  { code: '25006', message: 'cannot execute INSERT in a read-only transaction' },
  { code: '58030', message: 'could not write block 3: Input/output error' },
])('$message is why nothing is written', (error) => {
  const refusals = refusedWrites()
  refusals.refused(error)
  refusals.answered('SELECT 1')
  refusals.answered('UPDATE 0')
  expect(refusals.reason()).toBe(error.message)
})

test.each(['INSERT 0 1', 'UPDATE 12', 'DELETE 3', 'MERGE 1'])('after %s it is over', (tag) => {
  const refusals = refusedWrites()
  refusals.refused(FULL)
  refusals.answered(tag)
  expect(refusals.reason()).toBeUndefined()
})

test('a statement that is wrong says nothing of the disk', () => {
  const refusals = refusedWrites()
  refusals.refused({ code: '23505', message: 'duplicate key value violates unique constraint' })
  expect(refusals.reason()).toBeUndefined()
})

test('what was last refused a minute ago is not known any more', () => {
  let time = 0
  const refusals = refusedWrites(() => time)
  refusals.refused(FULL)
  time = 59_000
  expect(refusals.reason()).toBe(FULL.message)
  time = 60_000
  expect(refusals.reason()).toBeUndefined()
})
