import { soon } from '@rookery/handles'
import type { WorkerEvents } from 'graphile-worker'

/**
 * A lane's reasons to look for jobs, counted; and how many of them a look has answered that nothing disturbed. `isBehind` from a disturbed look
 * that found nothing until an undisturbed one that found nothing.
 */
type Lane = { reasons: number; answered: number; isBehind: boolean; look: () => void }
type Look = { lane: Lane; reasons: number; isDisturbed: boolean }

/** Looks for jobs of the lanes of a service, in one process. */
export type MissedLooks = {
  /** Watches the looks of a lane; `look` has one of its idle workers look. Returns what to call whenever there is a reason to look. */
  watch(events: WorkerEvents, look: () => void): () => void
}

/**
 * Has a lane look for jobs again when it may have missed one. A look of graphile-worker 0.18 locks all free queues until it ends, also when
 * it takes no job, and skips those that another look has locked. So of two concurrent looks, in any lanes, the second may find nothing
 * although a job is due, and would wait for its next poll. A lane that found nothing beside another look looks again once no other look is
 * under way, and again after each job it finds so: several looks that found nothing may have missed a job each. Polls by the clock do not
 * trigger this, so an idle process polls no more often.
 */
export const missedLooks = (): MissedLooks => {
  const underWay = new Map<unknown, Look>()
  const waiting = new Set<Lane>()

  const lookAgain = () => {
    for (const lane of waiting) {
      // One after the other: those that wait would disturb each other.
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
    // A worker that found nothing can be asked only when the turn is over in which it says so.
    if (underWay.size === 0 && (waiting.size > 0 || ended?.isDisturbed)) soon(lookAgain, { onError: () => {} })
    return ended
  }

  return {
    watch(events, look) {
      const lane: Lane = { reasons: 0, answered: 0, isBehind: false, look }
      events.on('worker:getJob:start', ({ worker }) => begin(lane, worker))
      events.on('worker:getJob:error', ({ worker }) => end(worker))
      events.on('job:start', ({ worker }) => {
        // There may be more where this was.
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
