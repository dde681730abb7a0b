import type { Arrival, Position } from '@rookery/ephemeral'
import type { Prepared } from './frames.ts'
import type { Channel } from './names.ts'

/** Who holds a connection, as their token said, and from where. */
export type Person = {
  readonly accountId: string
  readonly tokenId: string
  /** SHA-256 of the token, to ask about it again. */
  readonly digest: Buffer
  readonly scopes: readonly string[]
  /** The network address that the connection was opened from; empty where it is not known. */
  readonly address: string
}

/** Why the server ends a connection. */
export type EndReason = 'token is no longer valid' | 'network has no access' | 'server is going away' | 'events may be missing'

/** Someone's open connection, regardless of its transport. */
export type Connection = {
  readonly person: Person
  /** Sends an event as its transport writes it, and calls `onSent` once its reader had room for it. A reader that is too slow is cut. */
  send(event: Prepared, label: string, onSent?: () => void): void
  /** Has what `act` sends leave together, in one write. */
  together(act: () => void): void
  /** What waits for its reader, in bytes. */
  unsent(): number
  end(reason: EndReason): void
}

/** A stream that a person may open and that presence knows already: what happens from now on reaches this process. */
export type Place = {
  readonly channel: Channel
  /** Of a person's own stream. */
  readonly arrival: Arrival | undefined
  /** Gives it up unused. */
  release(): void
}

/** How a stream opens. */
export type Opening = {
  /** The id of the last event that its client has; undefined when it asks for none. */
  readonly since: string | undefined
  /** Of streams of a person's own. */
  readonly arrival: Arrival | undefined
}

/** What a resumed stream is still to get: first what it missed, then what came meanwhile. */
export type Backlog = {
  /** The next event that was missed. */
  replay(event: Prepared): void
  /** A live event, which waits. */
  hold(event: Prepared): void
  /** All that was missed is there: live events follow. */
  finish(): void
  /** Nothing more of it is sent. */
  cancel(): void
}

/** A connection that hears a stream. */
export type Subscriber = {
  readonly connection: Connection
  readonly channel: Channel
  /** What it has, or gets as missed: live events up to here are not for it. */
  after?: Position
  /** The last position that it need not have when it was opened. */
  opened?: Position
  /** What it is still to get before live events. */
  backlog?: Backlog
  /** Its client resumes: it said where it was. */
  resumes?: boolean
}
