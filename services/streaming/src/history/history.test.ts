import { isAfter, KEPT_MILLISECONDS, type Position } from '@rookery/ephemeral'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHistory, type History, type HistoryBounds } from './history.ts'

const EPOCH = 'aaaaaaaa'
const at = (time: number, sequence = 0): Position => ({ epoch: EPOCH, time, sequence })
const message = (text: string) => Buffer.from(text)

const historyOf = (bounds: Partial<HistoryBounds> = {}) => {
  const clock = { now: 1000 }
  const history = createHistory(() => clock.now, { maxBytes: 1_000_000, maxMessages: 1000, maxPerStream: 1000, ...bounds })
  history.restart(at(1000))
  return { clock, history }
}
const carried = (history: History, key: string, after: Position) => {
  const upTo = history.head() ?? at(0)
  const found = history.between([key], { after, upTo })
  return typeof found === 'string' ? found : found.map((each) => Buffer.from(each.message).toString())
}

test('a stream carried its own messages, in order, after a position and up to another', () => {
  const { history } = historyOf()
  for (const [index, keys] of [['a'], ['b'], ['a', 'b'], [], ['a']].entries()) history.add(at(1001 + index), message(String(index)), keys)
  expect(carried(history, 'a', at(1000))).toEqual(['0', '2', '4'])
  expect(carried(history, 'b', at(1002))).toEqual(['2'])
  expect(carried(history, 'c', at(1002))).toEqual([])
  expect(history.between(['a'], { after: at(1001), upTo: at(1004) })).toHaveLength(1)
  expect(history.between(['a'], { after: at(1004), upTo: at(1002) })).toEqual([])
  expect(history.head()).toEqual(at(1005))
})

test('what is filed under several keys comes once, in order', () => {
  const { history } = historyOf()
  for (const [index, keys] of [['a'], ['b'], ['a', 'b'], ['a']].entries()) history.add(at(1001 + index), message(String(index)), keys)
  const found = history.between(['b', 'a'], { after: at(1001), upTo: at(1004) })
  expect(typeof found === 'string' ? found : found.map(({ position }) => position.time)).toEqual([1002, 1003, 1004])
})

test('nothing is known before anything was read, of another epoch, and before a gap', () => {
  const empty = createHistory(() => 0)
  expect([carried(empty, 'a', at(1)), empty.head()]).toEqual(['unknown', undefined])
  const { history } = historyOf()
  expect(carried(history, 'a', { ...at(1000), epoch: 'bbbbbbbb' })).toBe('unknown')
  history.add(at(1001), message('1'), ['a'])
  history.restart(at(1002))
  expect(carried(history, 'a', at(1001))).toBe('expired')
  expect(carried(history, 'a', at(1002))).toEqual([])
})

test('a message is known for an hour, and a quiet stream can still be resumed from its last', () => {
  const { history, clock } = historyOf()
  history.add(at(1001), message('1'), ['a'])
  history.add(at(1002), message('2'), ['b'])
  clock.now = 1001 + KEPT_MILLISECONDS
  expect(carried(history, 'a', at(1000))).toEqual(['1'])
  clock.now += 2
  expect(carried(history, 'a', at(1000))).toBe('expired')
  expect([carried(history, 'a', at(1002)), history.size()]).toEqual([[], { messages: 0, bytes: 0 }])
})

test.each([
  ['bytes', { maxBytes: 1500 }],
  ['messages', { maxMessages: 10 }],
])('its %s are bounded', (_what, bounds) => {
  const { history } = historyOf(bounds)
  for (let index = 0; index < 5000; index++) history.add(at(1001 + index), message(String(index)), [`key ${index}`, 'a'])
  expect(history.size().messages).toBeLessThanOrEqual(10)
  expect(history.size().bytes).toBeLessThanOrEqual(2000)
  expect(carried(history, 'a', at(1001))).toBe('expired')
  expect(carried(history, 'a', at(5998))).toEqual(['4998', '4999'])
})

test('what one stream carries too much of is no loss to another', () => {
  const { history } = historyOf({ maxPerStream: 3 })
  for (let index = 0; index < 5; index++) history.add(at(1001 + index), message(String(index)), index === 1 ? ['busy', 'quiet'] : ['busy'])
  expect(carried(history, 'busy', at(1001))).toBe('expired')
  expect(carried(history, 'busy', at(1002))).toEqual(['2', '3', '4'])
  expect(carried(history, 'quiet', at(1000))).toEqual(['1'])
})

test('whatever was added and forgotten: all that a stream carried since is known, or that it is not', () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: KEPT_MILLISECONDS / 3 }), keys: fc.subarray(['a', 'b', 'c']) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(60), fc.constantFrom('a', 'b', 'c'), (steps, since, key) => {
      const { history, clock } = historyOf({ maxBytes: 3000, maxMessages: 30, maxPerStream: 8 })
      const all: { position: Position; keys: string[]; text: string }[] = []
      for (const [index, { wait, keys }] of steps.entries()) {
        clock.now += wait
        const entry = { position: at(clock.now, index), keys, text: String(index) }
        all.push(entry)
        history.add(entry.position, message(entry.text), keys)
      }
      const after = all[since]?.position ?? at(1000)
      const found = carried(history, key, after)
      if (found === 'expired') return
      expect(found).toEqual(all.filter(({ position, keys }) => keys.includes(key) && isAfter(position, after)).map(({ text }) => text))
    }),
  )
})
