import { consumer } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { scheduleEnd } from './schedule-end.ts'

/** Adds a job for the end of each new poll, so that restarts do not delay it. An edit may have moved the end before the event arrives. */
export const scheduleEnds = () =>
  consumer<StatusesTables, 'statusPublished'>({
    name: 'statuses.poll-ends',
    topic: 'statuses.v1',
    kinds: ['statusPublished'],
    isUnhurried: true,
    concerns: ({ value }) => value.poll !== undefined,
    async handle(tx, received) {
      for (const { event } of received) await scheduleEnd(tx, event.value.statusId)
    },
  })
