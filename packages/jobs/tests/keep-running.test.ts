import { EventEmitter, once } from 'node:events'
import { setImmediate as aMoment, setTimeout as pause } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import { describe, expect, test } from 'vitest'
import { keepRunning } from '../src/keep-running.ts'

describe('a runner that is kept running', () => {
  test('is replaced when its first look fails, though a look of the one before failed late', async () => {
    const events: WorkerEvents = new EventEmitter()
    const beginnings = new EventEmitter()
    const begun: { isStopped: boolean }[] = []
    const fails = () => events.emit('worker:getJob:error', {} as never)
    const begin = async () => {
      // As a runner that reads from Postgres before it looks for jobs, while the previous one still looks.
      if (begun.length === 1) {
        fails()
        await pause(5)
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const own = { isStopped: false }
      begun.push(own)
      const stop = async () => {
        own.isStopped = true
        resolve()
      }
      beginnings.emit('begun')
      return { promise, stop } as Partial<Runner> as Runner
    }
    const running = await keepRunning({ begin, events, onError: () => {}, onSign: () => {}, isAtWork: () => false })
    for (const runner of [1, 2]) {
      const next = once(beginnings, 'begun')
      fails()
      await next
      await aMoment()
      expect(begun.map(({ isStopped }) => isStopped)).toEqual([...Array(runner).fill(true), false])
    }
    await running.stop()
    expect(begun.map(({ isStopped }) => isStopped)).toEqual([true, true, true])
  })
})
