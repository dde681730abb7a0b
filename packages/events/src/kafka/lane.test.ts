import { expect, test, vi } from 'vitest'
import type { Message } from '../bus.ts'
import { openLane } from './lane.ts'

const messages = (...bodies: string[]): Message[] => bodies.map((body) => ({ key: 'ann', envelope: Buffer.from(body) }))
const many = (count: number) => messages(...Array.from({ length: count }, (_, index) => `${index}`))
const bodiesOf = (given: readonly Message[]) => given.map(({ envelope }) => Buffer.from(envelope).toString())

/** A lane, the batches that it delivered, and a gate that blocks the subscription. */
const opened = ({ isUnhurried = false, fails = (_time: number): boolean => false } = {}) => {
  const handed: string[][] = []
  const failures: string[] = []
  let gate = Promise.withResolvers<void>()
  const open = () => {
    gate.resolve()
    gate = Promise.withResolvers<void>()
  }
  let times = 0
  const handle = async (given: readonly Message[]) => {
    handed.push(bodiesOf(given))
    await gate.promise
    if (fails(++times)) throw new Error(`not at time ${times}`)
  }
  const onError = (error: unknown, consumer: string) => failures.push(`${consumer}: ${(error as Error).message}`)
  return { lane: openLane({ topic: 'a', consumer: 'birds', isUnhurried, handle }, onError), handed, failures, open }
}

test('what is given within a turn is handed over together, and what comes meanwhile together after it', async () => {
  const { lane, handed, open } = opened()
  const first = [lane.give(messages('1')), lane.give(messages('2', '3'))]
  await vi.waitFor(() => expect(handed).toEqual([['1', '2', '3']]))
  const second = [lane.give(messages('4')), lane.give(messages('5'))]
  open()
  expect(await Promise.all(first)).toEqual([true, true])
  await vi.waitFor(() => expect(handed.slice(1)).toEqual([['4', '5']]))
  open()
  expect(await Promise.all(second)).toEqual([true, true])
})

test('no more than 500 are handed over together', async () => {
  const { lane, handed, open } = opened()
  void lane.give(messages('first'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  for (const count of [300, 200, 1]) void lane.give(many(count))
  open()
  await vi.waitFor(() => expect(handed.map((one) => one.length)).toEqual([1, 500]))
  open()
  await vi.waitFor(() => expect(handed.map((one) => one.length)).toEqual([1, 500, 1]))
})

test('it has no room while a thousand wait, and says when it has', async () => {
  const { lane, handed, open } = opened()
  void lane.give(messages('first'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  void lane.give(many(500))
  expect(lane.hasRoom()).toBe(true)
  void lane.give(many(500))
  expect(lane.hasRoom()).toBe(false)
  let hasRoom = false
  const room = lane.room().then(() => {
    hasRoom = true
  })
  await Promise.resolve()
  expect(hasRoom).toBe(false)
  open()
  await room
  expect(lane.hasRoom()).toBe(true)
})

test('what fails is reported and handed over again, the same, before what came after it', async () => {
  const { lane, handed, failures, open } = opened({ fails: (time) => time === 1 })
  const first = lane.give(messages('1'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  void lane.give(messages('2'))
  open()
  await vi.waitFor(() => expect(handed).toEqual([['1'], ['1']]))
  open()
  expect(await first).toBe(true)
  await vi.waitFor(() => expect(handed).toEqual([['1'], ['1'], ['2']]))
  expect(failures).toEqual(['birds: not at time 1'])
})

test('what is forgotten is not handed over, and what was being handled does not count; what comes again is', async () => {
  const { lane, handed, open } = opened()
  const running = lane.give(messages('1'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  const waiting = lane.give(messages('2'))
  lane.forget()
  expect(await waiting).toBe(false)
  const again = lane.give(messages('1', '2'))
  open()
  expect(await running).toBe(false)
  await vi.waitFor(() => expect(handed).toEqual([['1'], ['1', '2']]))
  open()
  expect(await again).toBe(true)
})

test('what failed and is forgotten meanwhile is not tried again', async () => {
  const { lane, handed, failures, open } = opened({ fails: () => true })
  const failing = lane.give(messages('1'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  open()
  await vi.waitFor(() => expect(failures).toHaveLength(1))
  lane.forget()
  expect(await failing).toBe(false)
  void lane.give(messages('2'))
  await vi.waitFor(() => expect(handed).toEqual([['1'], ['2']]))
})

test('a closed one lets what is being handled end, hands nothing over after it, and keeps no one waiting for room', async () => {
  const { lane, handed, open } = opened()
  const running = lane.give(messages('1'))
  await vi.waitFor(() => expect(handed).toHaveLength(1))
  const waiting = lane.give(many(1000))
  const room = lane.room()
  lane.close()
  expect([await waiting, await room, await lane.give(messages('2'))]).toEqual([false, undefined, false])
  open()
  expect(await running).toBe(true)
  expect(handed).toEqual([['1']])
})

test('one that no one waits for gathers what comes for a while', async () => {
  const { lane, handed } = opened({ isUnhurried: true })
  void lane.give(messages('1'))
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(handed).toEqual([])
  void lane.give(messages('2'))
  await vi.waitFor(() => expect(handed).toEqual([['1', '2']]))
})
