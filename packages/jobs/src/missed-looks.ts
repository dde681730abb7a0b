import { immediate } from '@rookery/handles'
import type { WorkerEvents } from 'graphile-worker'

/**
 * The state of a lane: how many reasons it had to look for jobs; how many of them an undisturbed look has covered; and whether it may be
 * behind, which lasts from a disturbed look that found nothing until an undisturbed one that found nothing.
 */
type Lane = { reasons: number; answered: number; isBehind: boolean; look: () => void }
type Look = { lane: Lane; reasons: number; isDisturbed: boolean }

/** Tracks how the lanes of a service, in one process, look for jobs. */
export type MissedLooks = {
  /** Watches a lane; `look` makes one of its idle workers look. Returns a function to call whenever there is a reason to look. */
  watch(events: WorkerEvents, look: () => void): () => void
}

/**
 * Makes a lane look again when it may have missed a job. A look of graphile-worker 0.18 locks all free queues until it ends, even if it
 * takes no job, and skips those that another look has locked. So of two concurrent looks, in any lanes, the second may find nothing
 * although a job is due, and would wait for its next poll. A lane that found nothing beside another look looks again once no other look is
 * under way, and again after each job it finds that way: several looks that found nothing may have missed a job each. Regular polls do not
 * trigger this, so an idle process polls no more often.
 */
export const missedLooks = (): MissedLooks => {
  const underWay = new Map<unknown, Look>()
  const waiting = new Set<Lane>()

  const lookAgain = () => {
    for (const lane of waiting) {
      // One at a time: concurrent looks would disturb each other.
      if (underWay.size > 0) return
      waiting.delete(lane)
      if (lane.answered < lane.reasons) lane.look()
    }
  }

  const begin = (lane: Lane, worker: unknown) => {
    const isDisturbed = underWay.size > 0
    for (const other of underWay.values()) other.isDisturbed = true
    underWay.set(worker, { lane, reasons: lane.reasons, isDisturbed })
  }
  const end = (worker: unknown): Look | undefined => {
    const ended = underWay.get(worker)
    underWay.delete(worker)
    // A worker can be asked again only after the turn of the event loop in which it reports that it found nothing.
    if (underWay.size === 0 && (waiting.size > 0 || ended?.isDisturbed)) immediate(lookAgain, { onError: () => {} })
    return ended
  }

  return {
    watch(events, look) {
      const lane: Lane = { reasons: 0, answered: 0, isBehind: false, look }
      events.on('worker:getJob:start', ({ worker }) => begin(lane, worker))
      events.on('worker:getJob:error', ({ worker }) => end(worker))
      events.on('job:start', ({ worker }) => {
        // There may be more jobs.
        lane.reasons++
        if (lane.isBehind) waiting.add(lane)
        end(worker)
      })
      events.on('worker:getJob:empty', ({ worker }) => {
        const ended = end(worker)
        if (!ended) return
        lane.isBehind = ended.isDisturbed
        if (ended.isDisturbed) waiting.add(lane)
        else lane.answered = Math.max(lane.answered, ended.reasons)
      })
      return () => {
        lane.reasons++
      }
    },
  }
}
