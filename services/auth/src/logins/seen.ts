import { type Database, transact } from '@rookery/database'
import { after, type Timer } from '@rookery/handles'
import { type Clock, dayOf, type Logger } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { startOfWeek } from './login.rules.ts'
import { LoginWriter } from './login.store.ts'

/** Notes who was seen, by day: everyone whose token was used or who signed in. */
export type Seen = {
  /** Notes people. Nothing is written for those this process has noted on the same day. */
  note(accountIds: readonly string[]): void
  /** Writes what was noted; what cannot be written is kept for the next time. */
  flush(): Promise<void>
  /** Writes what was noted and notes no more. */
  close(): Promise<void>
}

/** How long notes wait to be written together. */
const DELAY_MILLISECONDS = 5000
const DAY_MILLISECONDS = 86_400_000
/** People remembered at most, about 10 MB; beyond it they are written once more. */
const MAX_REMEMBERED = 100_000

/** People to be written, by the day they were seen on. */
const waitingPeople = () => {
  let byDay = new Map<string, Set<string>>()
  return {
    add(day: string, accountId: string): void {
      byDay.set(day, (byDay.get(day) ?? new Set()).add(accountId))
    },
    isEmpty: () => byDay.size === 0,
    /** All of them, who then wait no more. */
    take(): ReadonlyMap<string, ReadonlySet<string>> {
      const taken = byDay
      byDay = new Map()
      return taken
    },
  }
}

/** Seen people, remembered in memory, with at most one write for each person, process and day. */
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
