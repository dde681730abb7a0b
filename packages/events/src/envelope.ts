import { createHash } from 'node:crypto'
import { Envelope } from '@rookery/contracts/events'

/** One of the envelope's facts, without the envelope. */
export type Fact = NonNullable<Envelope['fact']>

/** A kind of fact, as the envelope names it. */
export type FactKind = Fact['$case']
/** The fact of a kind. */
export type FactOf<Kind extends FactKind> = Extract<Fact, { $case: Kind }>

/** A fact with the envelope it came in. */
export type Received<Kind extends FactKind> = { id: string; key: string; trace: string; occurredAtMilliseconds: number; fact: FactOf<Kind> }

/** Those of one kind. */
export const ofKind = <Kind extends FactKind, Wanted extends Kind>(received: readonly Received<Kind>[], kind: Wanted): Received<Wanted>[] =>
  received.filter(({ fact }) => fact.$case === kind) as unknown as Received<Wanted>[]

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The fact in a message, or undefined when it is of a kind younger than this process. @throws Error when the bytes are no envelope */
export const readEnvelope = (bytes: Uint8Array): Received<FactKind> | undefined => {
  const { fact, ...envelope } = Envelope.decode(bytes)
  if (!UUID.test(envelope.id)) throw new Error('The message is no envelope: it has no id.')
  return fact && { ...envelope, fact }
}

/** Stands in for the id of bytes that are no envelope: the same for the same bytes. */
export const idOfBytes = (bytes: Uint8Array): string => {
  const digest = createHash('sha256').update(bytes).digest('hex')
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
