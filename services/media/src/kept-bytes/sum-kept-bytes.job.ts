import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { addChangedBytes, type KeptBytes, readKeptBytes, sumKeptBytes } from './kept-bytes.store.ts'

type Deps = { database: Database<MediaTables>; clock: Clock }

/** Sums the bytes of all files, so that readers need only one row. All records are read only the first time; later runs add the changes. */
export const sumKept = ({ database, clock }: Deps): Job =>
  job({
    name: 'sum-kept-bytes',
    cron: '*/10 * * * *',
    run: async () => {
      const now = new Date(clock.now())
      const added = await addChangedBytes(database, { now })
      if (added.length === 0) await sumKeptBytes(database, { now })
    },
  })

/** The bytes of all files, at most ten minutes old; zero on a new server. */
export const keptBytes = async ({ database }: Pick<Deps, 'database'>): Promise<KeptBytes> =>
  (await readKeptBytes(database, {}))[0] ?? { uploaded: 0, remote: 0 }
