import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '@rookery/failures'
import type { Logger } from '@rookery/runtime'
import type { Connection } from '../channels/subscriber.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import type { LiveEvent } from './audience.rules.ts'
import { concernedBy } from './deliveries.ts'
import type { Delivery, StreamSubscribers, Target } from './delivery.ts'

const isUnavailable = (error: unknown) => error instanceof Failure && error.kind === 'unavailable'

/** Reports a problem when it begins, and again only after it has ended. */
export const onceUntilWell = (say: (error?: unknown) => void) => {
  let isSaid = false
  return {
    isWell: () => {
      isSaid = false
    },
    say: (error?: unknown) => {
      if (!isSaid) say(error)
      isSaid = true
    },
  }
}

/** Closes the connections that an event concerns. */
export type GiveUp = (event: LiveEvent, subscribersTo: StreamSubscribers) => void

export const createGiveUp =
  (end: (connections: readonly Connection[]) => void): GiveUp =>
  (event, subscribersTo) =>
    end([...new Set(concernedBy(event, subscribersTo).map(({ connection }) => connection))])

/**
 * Reads the deliveries of an event, with retries while statuses is unavailable. After the last retry the affected connections are closed,
 * and nothing is delivered. Never rejects.
 */
export const createReadDeliveries = (given: {
  deliveriesOf(event: LiveEvent, target: Target): Promise<Delivery[]>
  giveUp: GiveUp
  log: Logger
  counts: Pick<StreamCounts, 'unreadable'>
  retryAfter: readonly number[]
}) => {
  const { deliveriesOf, giveUp, log, counts, retryAfter } = given
  const reach = onceUntilWell((error) => log.warn({ err: error }, 'statuses does not answer, live events are waiting'))
  return async (event: LiveEvent, target: Target): Promise<Delivery[]> => {
    for (const wait of [...retryAfter, undefined]) {
      try {
        const made = await deliveriesOf(event, target)
        reach.isWell()
        return made
      } catch (error) {
        reach.say(error)
        if (wait === undefined || !isUnavailable(error)) break
        await pause(wait, undefined, { ref: false })
      }
    }
    counts.unreadable++
    giveUp(event, target.subscribersTo)
    return []
  }
}

export type ReadDeliveries = ReturnType<typeof createReadDeliveries>
