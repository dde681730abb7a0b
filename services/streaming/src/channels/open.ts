import type { Arrival, Position, Presence } from '@rookery/ephemeral'
import { Failure, unavailable } from '@rookery/failures'
import { mayOpen } from './access.rules.ts'
import type { Prepared } from './frames.ts'
import type { ListAccess } from './list-access.ts'
import { type Channel, type ChannelRequest, channelOf, isPersonal, keysOf } from './names.ts'

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

/** What one account or one connection may hold open at once. */
const MAX_CONNECTIONS = 64
const MAX_CHANNELS = 100

const tooMany = () => new Failure('exhausted', 'Too many requests')

/** The connections of this process and the streams they hear. */
export type OpenChannels = {
  /** @throws Failure exhausted when the account holds as many connections as it may; unavailable when no one is let in any more */
  refuseFurther(accountId: string): void
  add(connection: Connection): void
  /** Forgets a connection and all it heard. */
  remove(connection: Connection): void
  /**
   * Prepares a stream for a connection that is not open yet.
   * @throws Failure malformed, unauthenticated for missing scopes or another's list; unavailable while the live channel or presence is
   */
  prepare(person: Person, request: ChannelRequest): Promise<Place>
  /** Has a connection hear a stream that was prepared for it, after the event it says; a repeat does nothing and returns undefined. */
  connect(connection: Connection, place: Place, since: string | undefined): Subscriber | undefined
  /**
   * Has a connection hear a stream, after the event it says; a repeat does nothing. Resolves when nothing that happens from then on is missing; while the live
   * channel or presence is unavailable it ends the connection.
   * @throws Failure malformed, unauthenticated for missing scopes or another's list, exhausted
   */
  subscribe(connection: Connection, request: ChannelRequest, since: string | undefined): Promise<void>
  /** @throws Failure malformed when there is no such stream */
  unsubscribe(connection: Connection, request: ChannelRequest): void
  hearing(key: string): ReadonlySet<Subscriber>
  /** The streams that a connection hears. */
  heardBy(connection: Connection): readonly Subscriber[]
  /** Has a connection that is about to be ended hear nothing more: what it has then is what its client resumes from. */
  silence(connection: Connection): void
  connections(): readonly Connection[]
  /** Lets no one in any more. */
  close(): void
}

const NONE: ReadonlySet<Subscriber> = new Set()

type Deps = {
  presence: Presence
  refuseOthers: ListAccess
  /** What stands between this process and the live channel, or undefined. */
  fault(): string | undefined
  /** Lets a stream begin that is heard from now on. */
  begin(subscriber: Subscriber, opening: Opening): void
}

/** Nothing is open yet. Presence knows everyone who has a stream of their own open here. */
export const createOpenChannels = ({ presence, refuseOthers, fault, begin }: Deps): OpenChannels => {
  const heard = new Map<Connection, Map<string, Subscriber>>()
  const subscribers = new Map<string, Set<Subscriber>>()
  const perAccount = new Map<string, number>()
  let isClosed = false

  const count = (accountId: string, change: 1 | -1) => {
    const left = (perAccount.get(accountId) ?? 0) + change
    if (left > 0) perAccount.set(accountId, left)
    else perAccount.delete(accountId)
  }

  const drop = (subscriber: Subscriber) => {
    const { channel, connection } = subscriber
    subscriber.backlog?.cancel()
    for (const key of keysOf(channel)) {
      const together = subscribers.get(key)
      together?.delete(subscriber)
      if (together?.size === 0) subscribers.delete(key)
    }
    if (isPersonal(channel)) presence.leave(connection.person.accountId)
  }

  /** The stream that a person asks for. */
  const permitted = async ({ accountId, scopes }: Person, request: ChannelRequest): Promise<Channel> => {
    const channel = channelOf(request, accountId)
    if (!mayOpen(scopes, channel)) throw new Failure('unauthenticated', 'Access token does not have the required scopes')
    if (channel.listId !== undefined) await refuseOthers(accountId, channel.listId)
    return channel
  }

  /** The place of a stream, or undefined while events could be missing on it. */
  const enter = async ({ accountId }: Person, channel: Channel): Promise<Place | undefined> => {
    if (fault() !== undefined) return undefined
    if (!isPersonal(channel)) return { channel, arrival: undefined, release() {} }
    const arrival = await presence.arrive(accountId)
    return arrival && { channel, arrival, release: () => presence.leave(accountId) }
  }

  const connect = (connection: Connection, place: Place, since: string | undefined) => {
    const { channel, arrival } = place
    const own = heard.get(connection)
    if (!own || own.has(channel.label)) {
      place.release()
      return undefined
    }
    const subscriber: Subscriber = { connection, channel }
    own.set(channel.label, subscriber)
    for (const key of keysOf(channel)) {
      const together = subscribers.get(key)
      if (together) together.add(subscriber)
      else subscribers.set(key, new Set([subscriber]))
    }
    begin(subscriber, { since, arrival })
    return subscriber
  }

  return {
    connect,
    async prepare(person, request) {
      const place = await enter(person, await permitted(person, request))
      if (!place) throw unavailable()
      return place
    },
    refuseFurther(accountId) {
      if (isClosed) throw unavailable()
      if ((perAccount.get(accountId) ?? 0) >= MAX_CONNECTIONS) throw tooMany()
    },
    add(connection) {
      heard.set(connection, new Map())
      count(connection.person.accountId, 1)
    },
    remove(connection) {
      const own = heard.get(connection)
      if (!own) return
      heard.delete(connection)
      count(connection.person.accountId, -1)
      for (const subscriber of own.values()) drop(subscriber)
    },
    async subscribe(connection, request, since) {
      const channel = await permitted(connection.person, request)
      const own = heard.get(connection)
      if (!own || own.has(channel.label)) return
      if (own.size >= MAX_CHANNELS) throw tooMany()
      const place = await enter(connection.person, channel)
      if (place) connect(connection, place, since)
      else connection.end('events may be missing')
    },
    unsubscribe(connection, request) {
      const { label } = channelOf(request, connection.person.accountId)
      const own = heard.get(connection)
      const subscriber = own?.get(label)
      if (!own || !subscriber) return
      own.delete(label)
      drop(subscriber)
    },
    hearing: (key) => subscribers.get(key) ?? NONE,
    heardBy: (connection) => [...(heard.get(connection)?.values() ?? [])],
    silence(connection) {
      const own = heard.get(connection)
      for (const subscriber of own?.values() ?? []) drop(subscriber)
      own?.clear()
    },
    connections: () => [...heard.keys()],
    close() {
      isClosed = true
    },
  }
}
