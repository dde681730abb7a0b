import { createHash } from 'node:crypto'
import { Envelope } from '@rookery/contracts/events'

/** An event, without its envelope. */
export type DomainEvent = NonNullable<Envelope['fact']>

/** A kind of event, by its name in the envelope. */
export type EventKind = DomainEvent['$case']
/** The event of a kind. */
export type EventOf<Kind extends EventKind> = Extract<DomainEvent, { $case: Kind }>

/** An event with the fields of its envelope. */
export type Received<Kind extends EventKind> = {
  id: string
  key: string
  trace: string
  occurredAtMilliseconds: number
  event: EventOf<Kind>
}

/** The events of one kind. */
export const ofKind = <Kind extends EventKind, Wanted extends Kind>(
  received: readonly Received<Kind>[],
  kind: Wanted,
): Received<Wanted>[] => received.filter(({ event }) => event.$case === kind) as unknown as Received<Wanted>[]

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A cache of decoded messages: in one process every group receives the same ones. */
const read = new WeakMap<Uint8Array, Received<EventKind>>()

/**
 * Decodes the event of a message; undefined if it is of a kind newer than this process. All readers of the message share the result, so it
 * must not be changed.
 * @throws Error when the bytes are not an envelope
 */
export const readEnvelope = (bytes: Uint8Array): Received<EventKind> | undefined => {
  const known = read.get(bytes)
  if (known) return known
  const { fact: event, ...envelope } = Envelope.decode(bytes)
  if (!UUID.test(envelope.id)) throw new Error('The message is not an envelope: it has no id.')
  if (!event) return undefined
  const received = { ...envelope, event }
  read.set(bytes, received)
  return received
}

/** An id for bytes that are not an envelope: equal for equal bytes. */
export const idOfBytes = (bytes: Uint8Array): string => {
  const digest = createHash('sha256').update(bytes).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
