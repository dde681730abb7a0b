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

/** Resumes streams after their clients' positions, and knows up to where each has everything. */
type Resume = {
  /** Starts a stream that was just opened. */
  begin(subscriber: Subscriber, opening: Opening): void
  /** Tells the client of an open stream to read its pages again: events before this position may be missing. */
  interrupt(subscriber: Subscriber, from: Position): void
  /** The id that the stream could be resumed from now; undefined while it has a backlog. */
  idOf(subscriber: Subscriber): string | undefined
}

const MESSAGE = 'Events may be missing: read the timeline again.'

/**
 * Resumes streams after the last event of their client: missed events first, then those that happen meanwhile. If the missed events are no
 * longer known, one event tells the client to read its pages again, and the stream continues from there.
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
      // Messages whose delivery has begun are replayed, and skipped if they also arrive live.
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
