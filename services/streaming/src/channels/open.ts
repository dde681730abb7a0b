import { createEntrance, type EntranceDeps } from './entrance.ts'
import { type ChannelRequest, channelOf, isPersonal } from './names.ts'
import { createOpenConnections, tooMany } from './open-connections.ts'
import type { Connection, Opening, Person, Place, Subscriber } from './subscriber.ts'
import { createSubscriberIndex } from './subscriber-index.ts'

/** Maximum streams per connection. */
const MAX_CHANNELS = 100

/** The connections of this process and their subscriptions. */
export type OpenChannels = {
  /** @throws Failure exhausted when the account has the maximum of connections; unavailable after `close` */
  refuseFurther(accountId: string): void
  add(connection: Connection): void
  /** Removes a connection with its subscriptions. */
  remove(connection: Connection): void
  /**
   * Prepares a stream for a connection that is not open yet.
   * @throws Failure malformed, unauthenticated for missing scopes or another's list; unavailable while the live channel or presence is
   */
  prepare(person: Person, request: ChannelRequest): Promise<Place>
  /** Subscribes a connection to a prepared stream, after the event at a position; a repeat does nothing and returns undefined. */
  connect(connection: Connection, place: Place, since: string | undefined): Subscriber | undefined
  /**
   * Subscribes a connection to a stream, after the event at a position; a repeat does nothing. Resolves when every later event will be
   * delivered; ends the connection while the live channel or presence is unavailable. @throws Failure malformed, unauthenticated for
   * missing scopes or another's list, exhausted
   */
  subscribe(connection: Connection, request: ChannelRequest, since: string | undefined): Promise<void>
  /** @throws Failure malformed for an unknown stream */
  unsubscribe(connection: Connection, request: ChannelRequest): void
  subscribersTo(key: string): ReadonlySet<Subscriber>
  /** The subscriptions of a connection. */
  subscriptionsOf(connection: Connection): readonly Subscriber[]
  /** Ends the subscriptions of a connection that is about to be closed: its client resumes from what it has received. */
  unsubscribeAll(connection: Connection): void
  connections(): readonly Connection[]
  /** Accepts no further connections. */
  close(): void
}

type Deps = EntranceDeps & {
  /** Called for each stream when it is subscribed. */
  begin(subscriber: Subscriber, opening: Opening): void
}

/** Starts without connections. Presence registers everyone with an open personal stream here. */
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
    const own = connections.subscriptionsOf(connection)
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
    const own = connections.subscriptionsOf(connection)
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
    subscribersTo: index.subscribersTo,
    subscriptionsOf: (connection) => [...(connections.subscriptionsOf(connection)?.values() ?? [])],
    unsubscribeAll: (connection) => connections.clear(connection).forEach(drop),
    connections: connections.all,
    close: connections.close,
  }
}
