import { createHash } from 'node:crypto'
import { Envelope } from '@rookery/contracts/events'

/** One of the envelope's events, without the envelope. */
export type DomainEvent = NonNullable<Envelope['fact']>

/** A kind of event, as the envelope names it. */
export type EventKind = DomainEvent['$case']
/** The event of a kind. */
export type EventOf<Kind extends EventKind> = Extract<DomainEvent, { $case: Kind }>

/** An event with the envelope it came in. */
export type Received<Kind extends EventKind> = {
  id: string
  key: string
  trace: string
  occurredAtMilliseconds: number
  event: EventOf<Kind>
}

/** Those of one kind. */
export const ofKind = <Kind extends EventKind, Wanted extends Kind>(
  received: readonly Received<Kind>[],
  kind: Wanted,
): Received<Wanted>[] => received.filter(({ event }) => event.$case === kind) as unknown as Received<Wanted>[]

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What messages held that were read: in one process every group is given the same ones. */
const read = new WeakMap<Uint8Array, Received<EventKind>>()

/**
 * The event in a message, or undefined when it is of a kind younger than this process. All who read the message share it, so no one changes it.
 * @throws Error when the bytes are no envelope
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

/** Stands in for the id of bytes that are no envelope: the same for the same bytes. */
export const idOfBytes = (bytes: Uint8Array): string => {
  const digest = createHash('sha256').update(bytes).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
