import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { expect, test } from 'vitest'
import { missedLooks } from './missed-looks.ts'

/** A lane whose workers look for jobs when the test says so: `asked` are those that were asked to look again. */
const startLane = (missed = missedLooks()) => {
  const events: WorkerEvents = new EventEmitter()
  const emit = (event: string, worker: string) => void events.emit(event as 'worker:getJob:start', { worker } as never)
  const asked: number[] = []
  const note = missed.watch(events, () => asked.push(asked.length))
  return {
    asked,
    note,
    looks: (worker: string) => emit('worker:getJob:start', worker),
    finds: (worker: string) => emit('job:start', worker),
    findsNothing: (worker: string) => emit('worker:getJob:empty', worker),
  }
}
const turn = () => new Promise(setImmediate)

test('a look that found nothing beside another is made again once both are over', async () => {
  const lane = startLane()
  lane.note()
  lane.looks('a')
  lane.looks('b')
  lane.findsNothing('b')
  await turn()
  expect(lane.asked).toHaveLength(0)
  lane.finds('a')
  await turn()
  expect(lane.asked).toHaveLength(1)
})

test('a look that is made again for several and finds a job is followed by another, until one finds nothing alone', async () => {
  const lane = startLane()
  for (const worker of ['a', 'b', 'c', 'd']) {
    lane.note()
    lane.looks(worker)
  }
  lane.finds('a')
  for (const worker of ['b', 'c', 'd']) lane.findsNothing(worker)
  await turn()
  expect(lane.asked).toHaveLength(1)
  for (const [index, worker] of ['b', 'c'].entries()) {
    lane.looks(worker)
    lane.finds(worker)
    await turn()
    expect(lane.asked).toHaveLength(index + 2)
  }
  lane.looks('d')
  lane.findsNothing('d')
  await turn()
  expect(lane.asked).toHaveLength(3)
})

test('a look alone is not followed by another, whether it finds a job or not', async () => {
  const lane = startLane()
  lane.note()
  lane.looks('a')
  lane.finds('a')
  lane.looks('b')
  lane.findsNothing('b')
  await turn()
  expect(lane.asked).toHaveLength(0)
})
