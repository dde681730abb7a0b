import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { AuthTables } from '../../database/schema.ts'
import { forgetArtifactsOfApp } from '../provider/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { deleteRemovedApp, findRemovedApp, lockRemovedApp } from './staff-app.store.ts'

export const DELETE_APP = 'delete-app'

/** Tokens deleted per transaction. */
const AT_A_TIME = 500

type Deps = { database: Database<AuthTables>; tokens: Pick<Tokens, 'deleteOfApp'> }

/** Deletes a removed app with its codes, grants and tokens. Each batch is a transaction, so that an interrupted run can continue. */
export const deleteApp = ({ database, tokens }: Deps): Job =>
  job<{ appId: string }>({
    name: DELETE_APP,
    async run({ appId }, signal) {
      const [app] = await findRemovedApp(database, { id: appId })
      if (!app) return
      await forgetArtifactsOfApp(database, app.clientId)
      for (let deleted = AT_A_TIME; deleted === AT_A_TIME; ) {
        signal?.throwIfAborted()
        deleted = await transact(database.db, async (tx) => {
          await lockRemovedApp(tx, appId)
          const count = await tokens.deleteOfApp(tx, { appId, limit: AT_A_TIME })
          if (count < AT_A_TIME) await deleteRemovedApp(tx, appId)
          return count
        })
      }
    },
  })
