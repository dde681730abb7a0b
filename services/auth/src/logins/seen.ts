import { type Database, transact } from '@rookery/database'
import { after, type Timer } from '@rookery/handles'
import { type Clock, dayOf, type Logger } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { startOfWeek } from './login.rules.ts'
import { LoginWriter } from './login.store.ts'

/** Records the daily activity of accounts: tokens used, and sign-ins. */
export type Seen = {
  /** Records activity of accounts. Nothing is written for accounts that this process recorded on the same day. */
  note(accountIds: readonly string[]): void
  /** Writes recorded activity; what fails is kept for the next flush. */
  flush(): Promise<void>
  /** Flushes, and stops writing in the background. */
  close(): Promise<void>
}

/** How long records wait for a common write, in milliseconds. */
const DELAY_MILLISECONDS = 5000
const DAY_MILLISECONDS = 86_400_000
/** The maximum number of accounts in memory, about 10 MB; beyond it the memory is cleared, and accounts are written again. */
const MAX_REMEMBERED = 100_000

/** Accounts to write, by day of activity. */
const waitingPeople = () => {
  let byDay = new Map<string, Set<string>>()
  return {
    add(day: string, accountId: string): void {
      byDay.set(day, (byDay.get(day) ?? new Set()).add(accountId))
    },
    isEmpty: () => byDay.size === 0,
    /** Returns and clears all. */
    take(): ReadonlyMap<string, ReadonlySet<string>> {
      const taken = byDay
      byDay = new Map()
      return taken
    },
  }
}

/** Records activity in memory, with at most one write per account, process and day. */
export const createSeen = (deps: { database: Database<AuthTables>; clock: Clock; log: Logger }): Seen => {
  const { database, clock, log } = deps
  let day = ''
  let dayEnds = Number.NEGATIVE_INFINITY
  let remembered = new Set<string>()
  const waiting = waitingPeople()
  let timer: Timer | undefined
  let isClosed = false

  const onError = (error: unknown) => log.warn({ err: error }, 'recording user activity failed')

  const startDay = (now: number) => {
    day = dayOf(now)
    dayEnds = Date.parse(day) + DAY_MILLISECONDS
    remembered = new Set()
  }

  const plan = () => {
    if (!isClosed && !waiting.isEmpty()) timer ??= after(DELAY_MILLISECONDS, flush, { onError, holdsProcess: false })
  }

  const write = async (seenOn: string, accountIds: ReadonlySet<string>) => {
    const week = dayOf(startOfWeek(Date.parse(seenOn)).getTime())
    try {
      await transact(database.db, (tx) => new LoginWriter(tx).noteSeen([...accountIds], { day: seenOn, week }))
    } catch (error) {
      for (const id of accountIds) waiting.add(seenOn, id)
      onError(error)
      plan()
    }
  }

  const flush = async () => {
    timer?.stop()
    timer = undefined
    for (const [seenOn, accountIds] of waiting.take()) await write(seenOn, accountIds)
  }

  return {
    note(accountIds) {
      const now = clock.now()
      if (now >= dayEnds || remembered.size > MAX_REMEMBERED) startDay(now)
      for (const id of accountIds) {
        if (remembered.has(id)) continue
        remembered.add(id)
        waiting.add(day, id)
      }
      plan()
    },
    flush,
    async close() {
      isClosed = true
      await flush()
    },
  }
}
