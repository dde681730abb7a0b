import { expect, test } from 'vitest'
import { consoleLine } from './console-line.ts'
import { createLogger } from './logger.ts'

const printed = (act: (log: ReturnType<typeof createLogger>) => void): string => {
  const lines: string[] = []
  act(createLogger({ name: 'test', level: 'info' }, { write: (line) => lines.push(consoleLine(line)) }))
  return lines.join('')
}

test('an error is one sentence with its causes and without its stack', () => {
  const error = new Error('Postgres could not make its data folder', { cause: new Error('no space left on device') })
  expect(printed((log) => log.error({ err: error }, 'start failed'))).toMatch(
    /^\d\d:\d\d:\d\d error: start failed: Postgres could not make its data folder: no space left on device\n$/,
  )
})

test('fields follow in parentheses', () => {
  expect(printed((log) => log.warn({ faults: { redis: 'away' }, port: 3000 }, 'started'))).toContain(
    'warning: started (faults={"redis":"away"}, port=3000)\n',
  )
})

test('secrets are crossed out as in JSON', () => {
  expect(printed((log) => log.info({ token: 'abc' }, 'asked'))).toContain('token=***')
})

test('control characters in a message do not reach the terminal', () => {
  expect(printed((log) => log.error({ err: new Error('a\u001b[31mb\r\nc\u009bd') }, 'failed'))).toContain('failed: a[31mb cd\n')
})

test('a thrown text is printed as it is', () => {
  expect(printed((log) => log.error({ err: 'no room' }, 'failed'))).toContain('failed: no room\n')
})
