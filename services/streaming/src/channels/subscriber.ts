import type { Arrival, Position } from '@rookery/ephemeral'
import type { Prepared } from './frames.ts'
import type { Channel } from './names.ts'

/** The person of a connection, by their token, and their network address. */
export type Person = {
  readonly accountId: string
  readonly tokenId: string
  /** SHA-256 of the token, to check it again. */
  readonly digest: Buffer
  readonly scopes: readonly string[]
  /** The address that the connection came from; empty if unknown. */
  readonly address: string
}

/** Why the server closes a connection. */
export type EndReason = 'token is no longer valid' | 'network has no access' | 'server is going away' | 'events may be missing'

/** A person's open connection, over any transport. */
export type Connection = {
  readonly person: Person
  /**
   * Sends an event in the encoding of the transport, and calls `onSent` once the reader has room for it. A reader that is too slow is
   * disconnected.
   */
  send(event: Prepared, label: string, onSent?: () => void): void
  /** Sends everything that `act` sends in one write. */
  together(act: () => void): void
  /** Bytes that wait for the reader. */
  unsent(): number
  end(reason: EndReason): void
}

/** An authorized stream with registered presence: later events reach this process. */
export type Place = {
  readonly channel: Channel
  /** For personal streams. */
  readonly arrival: Arrival | undefined
  /** Releases the presence of an unused place. */
  release(): void
}

/** The parameters of a stream's opening. */
export type Opening = {
  /** The id of the last event that the client has; undefined without one. */
  readonly since: string | undefined
  /** For personal streams. */
  readonly arrival: Arrival | undefined
}

/** The events that a resumed stream has yet to get: first the missed ones, then those that came meanwhile. */
export type Backlog = {
  /** Adds a missed event. */
  replay(event: Prepared): void
  /** Holds a live event back. */
  hold(event: Prepared): void
  /** All missed events were added: live events follow. */
  finish(): void
  /** Drops the rest. */
  cancel(): void
}

/** A subscription of a connection to a stream. */
export type Subscriber = {
  readonly connection: Connection
  readonly channel: Channel
  /** Live events up to this position are skipped: the client has them, or gets them as missed ones. */
  after?: Position
  /** The last position that the client may lack since the stream was opened. */
  opened?: Position
  /** The events to send before live ones. */
  backlog?: Backlog
  /** Whether its client resumes, because it sent a position. */
  resumes?: boolean
}
