import { expect, test } from 'vitest'
import { createLogger } from '../src/index.ts'

const logged = (given: object): string => {
  const lines: string[] = []
  createLogger({ name: 'test', level: 'info' }, { write: (line) => lines.push(line) }).warn(given, 'something happened')
  expect(lines).toHaveLength(1)
  return lines[0]!
}

test('an error is logged by what it says and what caused it, without what is attached to it', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    constraint: 'login_email',
    detail: 'Key (email)=(kim@birds.example)',
  })
  const error = Object.assign(new Error('cannot be kept', { cause }), { client: { query: 'select 1', values: ['kim@birds.example'] } })
  const line = logged({ err: error })
  expect(JSON.parse(line)).toMatchObject({
    msg: 'something happened',
    err: {
      type: 'Error',
      message: 'cannot be kept',
      stack: expect.stringContaining('logger.test.ts'),
      cause: { message: 'duplicate key', fault: '23505', constraint: 'login_email' },
    },
  })
  expect(line).not.toContain('kim@birds.example')
  expect(line).not.toContain('select 1')
})

test('what is thrown and is no error is named', () => {
  expect(JSON.parse(logged({ err: 'no room' }))).toMatchObject({ err: 'no room' })
  expect(JSON.parse(logged({ err: { token: 'abc' } }))).toMatchObject({ err: 'an object' })
})

test('secrets are crossed out, two objects deep', () => {
  const line = logged({ token: 'abc1', request: { headers: { authorization: 'Bearer abc2' } }, login: { email: 'abc3@birds.example' } })
  expect(line).not.toMatch(/abc\d/)
})
