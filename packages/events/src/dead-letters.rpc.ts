import { type DeadLetter, DeadLettersDefinition } from '@rookery/contracts/events'
import { type Db, type Tx, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Consumer } from './consumer.ts'
import {
  type DeadLetterRow,
  deleteDeadLetter,
  deleteDeadLetters,
  lockDeadLetter,
  noteFailure,
  readDeadLetter,
  readDeadLetterIds,
  readDeadLetters,
} from './dead-letter.store.ts'
import { readEnvelope } from './envelope.ts'
import { previewOf } from './preview.ts'
import type { EventTables } from './tables.ts'

/** The dead letters of a service: its consumers, and the database they act in. */
type DeadLetterQueue = {
  readonly service: string
  // biome-ignore lint/suspicious/noExplicitAny: each service's consumers know their own tables
  readonly db: Db<any>
  // biome-ignore lint/suspicious/noExplicitAny: each service's consumers know their own tables
  readonly consumers: readonly Consumer<any>[]
}

const DEFAULT_LIMIT = 40

/** Maximum dead letters discarded per call, of each service. */
const DISCARD_LIMIT = 500

/** Decodes a dead letter: an event of a known kind, of a kind newer than this process, or unreadable bytes. */
const readLetter = ({ envelope }: DeadLetterRow) => {
  try {
    return { kind: readEnvelope(envelope)?.event.$case ?? '', isUnreadable: false, preview: '' }
  } catch {
    return { kind: '', isUnreadable: true, preview: previewOf(envelope) }
  }
}

const letterIdOf = ({ service }: DeadLetterQueue, id: string) => `${service}:${id}`

const letterOf = (box: DeadLetterQueue, row: DeadLetterRow): DeadLetter => ({
  id: letterIdOf(box, row.id),
  consumer: row.consumer,
  eventId: row.eventId,
  topic: row.topic,
  key: row.key,
  ...readLetter(row),
  bytes: row.envelope.length,
  error: row.error,
  failedAtMilliseconds: row.failedAt.getTime(),
})

/** Passes a dead letter to its consumer again and deletes it, in one transaction, then publishes its live messages; false if it is gone. */
const replay = async ({ db, consumers }: DeadLetterQueue, id: string): Promise<boolean> => {
  const row = await readDeadLetter(db, id)
  if (!row) return false
  const reaction = consumers.find((each) => each.name === row.consumer)
  if (!reaction) throw new Error(`The consumer ${row.consumer} no longer exists.`)
  const received = readEnvelope(row.envelope)
  const events = received ? [received] : []
  if (received) await reaction.publishBefore?.(events)
  const wanted = reaction.pick ? await reaction.pick(db, events) : events
  const isDone = await transact(db as Db<EventTables>, async (tx: Tx<EventTables>) => {
    if (!(await lockDeadLetter(tx, id))) return false
    if (wanted.length > 0) await reaction.handle(tx, wanted)
    await deleteDeadLetter(tx, id)
    return true
  })
  if (received && isDone) await reaction.publishAfter?.(events)
  return isDone
}

/** Replays a dead letter; returns the error of a failure and stores it with the letter. */
const replayOrNote = async (box: DeadLetterQueue, id: string): Promise<{ isReplayed: boolean; error?: string }> => {
  try {
    return { isReplayed: await replay(box, id) }
  } catch (error) {
    await noteFailure(box.db, id, error)
    return { isReplayed: false, error: (error as Error).message }
  }
}

/** The queue and the row id that a dead letter's id names. @throws Failure not_found */
const find = (boxes: readonly DeadLetterQueue[], letterId: string) => {
  const [service, id = ''] = letterId.split(':')
  const box = boxes.find((each) => each.service === service)
  if (!box || !isId(id)) throw notFound(`no dead letter ${letterId}`)
  return { box, id }
}

/** Deletes the oldest matching dead letters, and returns them. */
const discardOldest = async (box: DeadLetterQueue, { onlyUnreadable }: { onlyUnreadable: boolean }) => {
  const letters: DeadLetter[] = []
  let rows: DeadLetterRow[] = []
  let after = '0'
  do {
    rows = await readDeadLetters(box.db, { minId: after, limit: DISCARD_LIMIT })
    after = rows.at(-1)?.id ?? after
    const wanted = rows.filter((row) => !onlyUnreadable || readLetter(row).isUnreadable).map(({ id }) => id)
    letters.push(...(await deleteDeadLetters(box.db, wanted)).map((row) => letterOf(box, row)))
  } while (rows.length === DISCARD_LIMIT && letters.length === 0)
  return { letters, isMore: rows.length === DISCARD_LIMIT }
}

const everyLetter = async (boxes: readonly DeadLetterQueue[]) =>
  (await Promise.all(boxes.map(async (box) => (await readDeadLetterIds(box.db)).map((id) => ({ box, id }))))).flat()

/** The operator's calls for dead letters. One handler serves all services of a process. */
export const deadLetterHandler = (boxes: readonly DeadLetterQueue[]): Handler =>
  handler(DeadLettersDefinition, {
    async list(_call, { limit }) {
      const read = async (box: DeadLetterQueue) =>
        (await readDeadLetters(box.db, { limit: limit || DEFAULT_LIMIT })).map((row) => letterOf(box, row))
      return { letters: (await Promise.all(boxes.map(read))).flat() }
    },

    async replay(_call, { ids }) {
      const isNamed = ids.length > 0
      const wanted = isNamed ? ids.map((id) => find(boxes, id)) : await everyLetter(boxes)
      const failed: { id: string; error: string }[] = []
      let replayed = 0
      for (const { box, id } of wanted) {
        const { isReplayed, error } = await replayOrNote(box, id)
        if (isReplayed) replayed++
        else if (isNamed || error) failed.push({ id: letterIdOf(box, id), error: error ?? 'There is no such dead letter.' })
      }
      return { replayed, failed }
    },

    async discard(_call, { ids, onlyUnreadable }) {
      if (ids.length === 0) {
        const discarded = await Promise.all(boxes.map((box) => discardOldest(box, { onlyUnreadable })))
        return { letters: discarded.flatMap(({ letters }) => letters), isMore: discarded.some(({ isMore }) => isMore) }
      }
      const letters: DeadLetter[] = []
      for (const { box, id } of ids.map((each) => find(boxes, each))) {
        const [row] = await deleteDeadLetters(box.db, [id])
        if (!row) throw notFound(`no dead letter ${letterIdOf(box, id)}`)
        letters.push(letterOf(box, row))
      }
      return { letters, isMore: false }
    },
  })
