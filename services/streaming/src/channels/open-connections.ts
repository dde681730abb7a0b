import { Failure, unavailable } from '@rookery/failures'
import type { Connection, Subscriber } from './subscriber.ts'

/** What one account may hold open at once. */
const MAX_CONNECTIONS = 64

export const tooMany = () => new Failure('exhausted', 'Too many requests')

/** The streams that a connection hears, by their labels. */
type Heard = Map<string, Subscriber>

/** The connections of this process, and what each hears. */
export const createOpenConnections = () => {
  const heard = new Map<Connection, Heard>()
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
      heard.set(connection, new Map())
      count(connection.person.accountId, 1)
    },
    /** Forgets a connection and answers what it heard. */
    remove(connection: Connection): readonly Subscriber[] {
      const own = heard.get(connection)
      if (!own) return []
      heard.delete(connection)
      count(connection.person.accountId, -1)
      return [...own.values()]
    },
    /** Has a connection hear nothing, and answers what it heard. */
    clear(connection: Connection): readonly Subscriber[] {
      const own = heard.get(connection)
      const subscribers = [...(own?.values() ?? [])]
      own?.clear()
      return subscribers
    },
    /** Has a connection no longer hear the stream of a label, and answers it where it was heard. */
    leave(connection: Connection, label: string): readonly Subscriber[] {
      const subscriber = heard.get(connection)?.get(label)
      heard.get(connection)?.delete(label)
      return subscriber ? [subscriber] : []
    },
    heardBy: (connection: Connection): Heard | undefined => heard.get(connection),
    all: () => [...heard.keys()],
    close() {
      isClosed = true
    },
  }
}
