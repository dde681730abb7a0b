import { createEntrance, type EntranceDeps } from './entrance.ts'
import { type ChannelRequest, channelOf, isPersonal } from './names.ts'
import { createOpenConnections, tooMany } from './open-connections.ts'
import type { Connection, Opening, Person, Place, Subscriber } from './subscriber.ts'
import { createSubscriberIndex } from './subscriber-index.ts'

/** What one connection may hear at once. */
const MAX_CHANNELS = 100

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

type Deps = EntranceDeps & {
  /** Lets a stream begin that is heard from now on. */
  begin(subscriber: Subscriber, opening: Opening): void
}

/** Nothing is open yet. Presence knows everyone who has a stream of their own open here. */
export const createOpenChannels = ({ begin, ...deps }: Deps): OpenChannels => {
  const connections = createOpenConnections()
  const index = createSubscriberIndex()
  const entrance = createEntrance(deps)

  const drop = (subscriber: Subscriber) => {
    const { channel, connection } = subscriber
    subscriber.backlog?.cancel()
    index.remove(subscriber)
    if (isPersonal(channel)) deps.presence.leave(connection.person.accountId)
  }

  const connect = (connection: Connection, place: Place, since: string | undefined) => {
    const { channel, arrival } = place
    const own = connections.heardBy(connection)
    if (!own || own.has(channel.label)) {
      place.release()
      return undefined
    }
    const subscriber: Subscriber = { connection, channel }
    own.set(channel.label, subscriber)
    index.add(subscriber)
    begin(subscriber, { since, arrival })
    return subscriber
  }

  const subscribe = async (connection: Connection, request: ChannelRequest, since: string | undefined) => {
    const channel = await entrance.permitted(connection.person, request)
    const own = connections.heardBy(connection)
    if (!own || own.has(channel.label)) return
    if (own.size >= MAX_CHANNELS) throw tooMany()
    const place = await entrance.enter(connection.person, channel)
    if (place) connect(connection, place, since)
    else connection.end('events may be missing')
  }

  return {
    ...{ connect, subscribe },
    refuseFurther: connections.refuseFurther,
    add: connections.add,
    remove: (connection) => connections.remove(connection).forEach(drop),
    prepare: entrance.prepare,
    unsubscribe: (connection, request) =>
      connections.leave(connection, channelOf(request, connection.person.accountId).label).forEach(drop),
    hearing: index.hearing,
    heardBy: (connection) => [...(connections.heardBy(connection)?.values() ?? [])],
    silence: (connection) => connections.clear(connection).forEach(drop),
    connections: connections.all,
    close: connections.close,
  }
}
