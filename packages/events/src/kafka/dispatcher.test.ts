import type { EachBatchPayload } from 'kafkajs'
import { expect, test, vi } from 'vitest'
import { createDispatcher } from './dispatcher.ts'
import type { Handled } from './offsets.ts'

/** A dispatcher with a fast consumer, and one that waits at a gate. */
const opened = () => {
  const noted: Handled[] = []
  const offsets = {
    note: (of: { topic: string; partition: number }, offset: string) =>
      void noted.push({ topic: of.topic, partition: of.partition, offset }),
    forget: () => {},
    close: async () => {},
  }
  const gate = Promise.withResolvers<void>()
  let isHeld = false
  const slow = async () => {
    isHeld = true
    await gate.promise
  }
  const dispatcher = createDispatcher(
    [
      { topic: 'birds.v1', consumer: 'quick', handle: async () => {} },
      { topic: 'birds.v1', consumer: 'slow', handle: slow },
      { topic: 'nests.v1', consumer: 'other', handle: async () => {} },
    ],
    { options: { brokers: [], clientId: 'test' }, offsets },
  )
  return { dispatcher, noted, open: gate.resolve, held: () => vi.waitFor(() => expect(isHeld).toBe(true)) }
}

/** A batch as kafkajs delivers it: messages of a partition from an offset on. */
const given = (topic: string, from: number, count: number, heartbeat = async () => {}) => {
  const resolved: string[] = []
  const messages = Array.from({ length: count }, (_, index) => ({
    key: Buffer.from('ann'),
    value: Buffer.from('x'),
    offset: `${from + index}`,
  }))
  const payload = { batch: { topic, partition: 0, messages }, heartbeat, resolveOffset: (offset: string) => resolved.push(offset) }
  return { payload: payload as unknown as EachBatchPayload, resolved }
}

test('messages count as handled when each consumer of their topic has handled them, and those of other topics before', async () => {
  const { dispatcher, noted, open, held } = opened()
  const [birds, nests] = [given('birds.v1', 7, 3), given('nests.v1', 0, 1)]
  await dispatcher.take(birds.payload)
  await held()
  await dispatcher.take(nests.payload)
  await vi.waitFor(() => expect(noted).toEqual([{ topic: 'nests.v1', partition: 0, offset: '1' }]))
  expect(birds.resolved).toEqual(['9'])
  open()
  await vi.waitFor(() => expect(noted.slice(1)).toEqual([{ topic: 'birds.v1', partition: 0, offset: '10' }]))
})

test('closing waits for what is being handled, and that counts; what waits does not', async () => {
  const { dispatcher, noted, open, held } = opened()
  await dispatcher.take(given('birds.v1', 0, 1).payload)
  await held()
  await dispatcher.take(given('birds.v1', 1, 1).payload)
  const closing = dispatcher.close()
  open()
  await closing
  expect(noted).toEqual([{ topic: 'birds.v1', partition: 0, offset: '1' }])
})

test('what was being handled when it was forgotten does not count', async () => {
  const { dispatcher, noted, open, held } = opened()
  await dispatcher.take(given('birds.v1', 0, 1).payload)
  await held()
  dispatcher.forget()
  open()
  await dispatcher.close()
  expect(noted).toEqual([])
})

test('the membership is kept alive while a consumer has no room, and what it says when it is lost ends the waiting', async () => {
  const { dispatcher, open, held } = opened()
  await dispatcher.take(given('birds.v1', 0, 1).payload)
  await held()
  await dispatcher.take(given('birds.v1', 1, 1000).payload)
  let beats = 0
  const lost = given('birds.v1', 1001, 1, async () => {
    if (++beats === 2) throw new Error('the group is rebalancing')
  })
  await expect(dispatcher.take(lost.payload)).rejects.toThrow('rebalancing')
  expect(lost.resolved).toEqual([])
  open()
  await dispatcher.take(given('birds.v1', 1001, 1).payload)
  await dispatcher.close()
})

test('a batch that waited for room while everything was forgotten is not handed over', async () => {
  const { dispatcher, noted, open, held } = opened()
  await dispatcher.take(given('birds.v1', 0, 1).payload)
  await held()
  await dispatcher.take(given('birds.v1', 1, 1000).payload)
  const stale = given('birds.v1', 1001, 1)
  const taking = dispatcher.take(stale.payload)
  dispatcher.forget()
  await taking
  expect(stale.resolved).toEqual([])
  open()
  await dispatcher.close()
  expect(noted).toEqual([])
})
