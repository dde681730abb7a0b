import { Failure, unavailable } from '@rookery/failures'
import type { Connection, Subscriber } from './subscriber.ts'

/** Maximum connections per account. */
const MAX_CONNECTIONS = 64

export const tooMany = () => new Failure('exhausted', 'Too many requests')

/** The subscriptions of a connection, by label. */
type Subscriptions = Map<string, Subscriber>

/** The connections of this process and their subscriptions. */
export const createOpenConnections = () => {
  const subscriptions = new Map<Connection, Subscriptions>()
  const perAccount = new Map<string, number>()
  let isClosed = false

  const count = (accountId: string, change: 1 | -1) => {
    const left = (perAccount.get(accountId) ?? 0) + change
    if (left > 0) perAccount.set(accountId, left)
    else perAccount.delete(accountId)
  }

  return {
    refuseFurther(accountId: string) {
      if (isClosed) throw unavailable()
      if ((perAccount.get(accountId) ?? 0) >= MAX_CONNECTIONS) throw tooMany()
    },
    add(connection: Connection) {
      subscriptions.set(connection, new Map())
      count(connection.person.accountId, 1)
    },
    /** Removes a connection and returns its subscriptions. */
    remove(connection: Connection): readonly Subscriber[] {
      const own = subscriptions.get(connection)
      if (!own) return []
      subscriptions.delete(connection)
      count(connection.person.accountId, -1)
      return [...own.values()]
    },
    /** Ends all subscriptions of a connection and returns them. */
    clear(connection: Connection): readonly Subscriber[] {
      const own = subscriptions.get(connection)
      const subscribers = [...(own?.values() ?? [])]
      own?.clear()
      return subscribers
    },
    /** Ends the subscription with a label and returns it, if there is one. */
    leave(connection: Connection, label: string): readonly Subscriber[] {
      const subscriber = subscriptions.get(connection)?.get(label)
      subscriptions.get(connection)?.delete(label)
      return subscriber ? [subscriber] : []
    },
    subscriptionsOf: (connection: Connection): Subscriptions | undefined => subscriptions.get(connection),
    all: () => [...subscriptions.keys()],
    close() {
      isClosed = true
    },
  }
}
