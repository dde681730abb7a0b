import { expect, test } from 'vitest'
import { orderedQueue } from './ordered-queue.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('preparations run side by side, deliveries in order and one at a time', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const began: number[] = []
  const delivered: number[] = []
  let isDelivering = false
  const queue = orderedQueue<number, number>({
    prepare: async (message) => {
      began.push(message)
      await gates[message]?.promise
      return message
    },
    deliver: async (message) => {
      expect(isDelivering).toBe(false)
      isDelivering = true
      await nextTurn()
      isDelivering = false
      delivered.push(message)
    },
  })
  for (const message of [0, 1, 2]) queue.push(message)
  expect(began).toEqual([0, 1, 2])
  gates[1]?.resolve()
  await nextTurn()
  expect(delivered).toEqual([])
  gates[0]?.resolve()
  await expect.poll(() => delivered).toEqual([0, 1, 2])
})

test('few are prepared at once, and what is more than may wait is not taken', async () => {
  const gate = Promise.withResolvers<void>()
  let began = 0
  let delivered = 0
  const queue = orderedQueue<number, void>({
    prepare: async () => {
      began++
      await gate.promise
    },
    deliver: async () => {
      delivered++
    },
  })
  const taken = Array.from({ length: 6000 }, (_, message) => queue.push(message)).filter(Boolean).length
  expect([began, taken]).toEqual([32, 5032])
  gate.resolve()
  await expect.poll(() => delivered).toBe(5032)
  expect(queue.push(1)).toBe(true)
})
