import { cachedWhenLarge } from '@rookery/batching'
import type { Database } from '@rookery/database'
import { type Clock, dayOf } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { type ActivePeople, ActivityReader, type Week } from './activity.store.ts'
import type { Seen } from './seen.ts'

/** Larger numbers are counted once a minute at most. */
const MANY = 1000

const peopleOf = (weeks: readonly Week[]) => weeks.reduce((sum, { logins, registrations }) => sum + logins + registrations, 0)

/**
 * Weekly activity since a time, and the numbers of recently active accounts; cached on a large server (spec, Instance).
 */
export const readActivity = ({ database, clock, seen }: { database: Database<AuthTables>; clock: Clock; seen: Pick<Seen, 'flush'> }) => {
  const { now } = clock
  const reader = new ActivityReader(database.db)
  const weeksSince = cachedWhenLarge<Week[]>({ max: 4, now, isLarge: (weeks) => peopleOf(weeks) > MANY })
  const activePeople = cachedWhenLarge<ActivePeople>({ max: 1, now, isLarge: ({ activeHalfYear }) => activeHalfYear > MANY })
  return async (start: Date) => {
    await seen.flush()
    const [weeks, active] = await Promise.all([
      weeksSince(start.toISOString(), () => reader.since(start)),
      activePeople(dayOf(now()), () => reader.active(now())),
    ])
    return { weeks, ...active }
  }
}
