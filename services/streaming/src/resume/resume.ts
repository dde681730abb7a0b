import { isAfter, laterOf, type Position, positionText, readPosition } from '@rookery/ephemeral'
import { prepare } from '../channels/frames.ts'
import { keysOf } from '../channels/names.ts'
import type { Opening, Subscriber } from '../channels/subscriber.ts'
import type { Progress } from '../delivery/progress.ts'
import type { History, Unresumable } from '../history/history.ts'
import type { Slices } from '../slices.ts'
import type { StreamCounts } from '../stream.metrics.ts'
import { createBacklog } from './backlog.ts'
import type { Resumption } from './replay.ts'
import { objectionTo, openingPosition } from './resume.rules.ts'

/** Resumes streams where their clients say, and knows up to where each has everything. */
type Resume = {
  /** Lets a stream begin that is open from now on. */
  begin(subscriber: Subscriber, opening: Opening): void
  /** Asks the client of an open stream to read its pages again: what came before this position may be missing on it. */
  interrupt(subscriber: Subscriber, from: Position): void
  /** The id from which the stream could be resumed now; undefined while it gets what it missed. */
  idOf(subscriber: Subscriber): string | undefined
}

const MESSAGE = 'Events may be missing: read the timeline again.'

/**
 * Streams go on after the last event that their client has: what was missed comes first, what happens meanwhile after it. When what was
 * missed is not known any more, one event says that the client is to read the page again, and the stream goes on from there.
 */
export const createResume = (given: {
  history: History
  progress(): Progress | undefined
  replay(resumption: Resumption): void
  slices: Slices
  counts: Pick<StreamCounts, 'resumed' | 'expired' | 'unknown'>
  now(): number
}): Resume => {
  const { history, progress, replay, slices, counts, now } = given

  const resynchronise = ({ connection, channel }: Subscriber, reason: Unresumable, id: string) => {
    counts[reason]++
    connection.send(prepare({ event: 'resync', payload: JSON.stringify({ reason, message: MESSAGE }), id }), channel.label)
  }

  return {
    begin(subscriber, { since, arrival }) {
      const at = progress()
      // Streams open only while the log is read.
      if (!at) return
      subscriber.opened = openingPosition(at.delivered, arrival)
      if (since === undefined) return
      subscriber.resumes = true
      const after = readPosition(since)
      const head = laterOf(at.begun, subscriber.opened)
      const missed =
        objectionTo(after, { arrival, head, now: now() }) ?? history.between(keysOf(subscriber.channel), { after: after!, upTo: at.begun })
      if (typeof missed === 'string') return resynchronise(subscriber, missed, positionText(subscriber.opened))
      counts.resumed++
      subscriber.opened = after!
      // What was begun is replayed, should it also be read again for those who hear it live.
      subscriber.after = laterOf(after!, at.begun)
      if (missed.length === 0) return
      const { connection, channel } = subscriber
      const onEmpty = () => {
        delete subscriber.backlog
      }
      const backlog = createBacklog({ connection, label: channel.label, slices, onEmpty })
      subscriber.backlog = backlog
      replay({ subscriber, backlog, missed })
    },
    interrupt(subscriber, from) {
      subscriber.backlog?.cancel()
      delete subscriber.backlog
      subscriber.opened = from
      subscriber.after = from
      resynchronise(subscriber, 'unknown', positionText(from))
    },
    idOf({ opened, backlog }) {
      const delivered = progress()?.delivered
      if (!opened || !delivered || backlog) return undefined
      const isBehind = opened.epoch !== delivered.epoch || isAfter(delivered, opened)
      return positionText(isBehind ? delivered : opened)
    },
  }
}
