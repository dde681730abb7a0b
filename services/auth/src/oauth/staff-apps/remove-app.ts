import type { RemoveAppRequest, RemovedApp } from '@rookery/contracts/auth'
import { type Database, transactOnce } from '@rookery/database'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { addJob } from '@rookery/jobs'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { LogAct } from '../../log-act.ts'
import { SERVICE } from '../../service.ts'
import { DELETE_APP } from './delete-app.job.ts'
import { lockApp, markRemoved } from './staff-app.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

/**
 * Removes an app. From the commit on its tokens are invalid and it gets no new ones; a job deletes them and closes their streams.
 * @throws Failure not_found, invalid for the operators' app
 */
export const removeApp =
  ({ database, clock, logAct }: Deps) =>
  async (call: Call, { id, staffId }: RemoveAppRequest): Promise<RemovedApp> => {
    if (!isId(id)) throw notFound(`no app ${id}`)
    const removed = await transactOnce(database.db, { call, step: 'remove-app' }, async (tx) => {
      const app = await lockApp(tx, id)
      if (!app) return undefined
      if (app.isOperators) throw invalid('This is the app of the operators’ commands, which cannot be removed')
      await markRemoved(tx, { id, at: new Date(clock.now()) })
      await logAct(tx, { staffId, action: 'remove_app', target: [app.name, id].join(' ') })
      await addJob(tx, SERVICE, DELETE_APP, { appId: id }, { key: `${DELETE_APP}:${id}` })
      return { id, name: app.name }
    })
    return orNotFound(removed, `no app ${id}`)
  }
