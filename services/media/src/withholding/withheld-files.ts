import type { Database } from '@rookery/database'
import type { Clock, Logger } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { findAnyWithheld, findWithheld } from './withheld-owner.store.ts'

/** TTL of an answer that another process may have changed, in milliseconds. */
const FRESH = 2000

/** Files that are not served because their owners are suspended. */
export type WithheldFiles = {
  /** Whether the file of a key is withheld. @throws what the database throws, unless it recently answered that no file is */
  has(key: string): Promise<boolean>
  /** Invalidates the cached answer, after a change by this process. */
  changed(): void
}

type Known = { isAny: boolean; readAt: number }

type Deps = { database: Database<MediaTables>; clock: Clock; log: Pick<Logger, 'warn'> }

/**
 * Looks a file up only while someone is suspended. Whether anyone is, is cached for two seconds, or until this process changes it; if it
 * cannot be read again, the last answer counts, so that a server without suspensions serves files while the database is unavailable.
 */
export const withheldFiles = ({ database, clock, log }: Deps): WithheldFiles => {
  let known: Known | undefined
  let reading: Promise<boolean> | undefined

  const read = async (before: Known | undefined): Promise<Known> => {
    const readAt = clock.now()
    try {
      return { isAny: (await findAnyWithheld(database, {})).length > 0, readAt }
    } catch (error) {
      if (!before) throw error
      log.warn({ err: error }, 'reading whose files are withheld failed')
      return { isAny: before.isAny, readAt }
    }
  }

  const refresh = (): Promise<boolean> => {
    const mine: Promise<boolean> = read(known)
      .then((answer) => {
        // A change during the read invalidates it.
        if (reading === mine) known = answer
        return answer.isAny
      })
      .finally(() => {
        if (reading === mine) reading = undefined
      })
    reading = mine
    return mine
  }

  const isFresh = ({ readAt }: Known): boolean => {
    const age = clock.now() - readAt
    // A negative age means that the clock was set back, so the real age is unknown.
    return age >= 0 && age < FRESH
  }
  const isAny = async (): Promise<boolean> => (known && isFresh(known) ? known.isAny : (reading ?? refresh()))

  return {
    has: async (key) => (await isAny()) && (await findWithheld(database, { key })).length > 0,
    changed() {
      known = undefined
      reading = undefined
    },
  }
}
