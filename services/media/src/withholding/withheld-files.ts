import type { Database } from '@rookery/database'
import type { Clock, Logger } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { findAnyWithheld, findWithheld } from './withheld-owner.store.ts'

/** How long an answer counts that another process may have changed, in milliseconds. */
const FRESH = 2000

/** Files that no one gets because staff suspended their owners. */
export type WithheldFiles = {
  /** Whether the file of a key is one. @throws what the database throws, unless it answered lately that there are none */
  has(key: string): Promise<boolean>
  /** This process changed whose files are withheld: what was read before no longer counts. */
  changed(): void
}

type Known = { isAny: boolean; readAt: number }

type Deps = { database: Database<MediaTables>; clock: Clock; log: Pick<Logger, 'warn'> }

/**
 * Asks about a file only while someone is suspended. Whether anyone is, is remembered for two seconds, and until this process changes it; where it
 * cannot be read again the last answer counts, so that files of a server where no one is suspended are served while the database is away.
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
        // Of one that a change came into nothing is remembered.
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
    // Below zero the clock was set back, and does not say how long ago that was.
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
