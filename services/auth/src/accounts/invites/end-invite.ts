import { type Database, transact } from '@rookery/database'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { LogAct } from '../../log-act.ts'
import { InviteWriter } from './invite.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

/** Ends an account's own invitation; that of another account, or one that is over, stays as it is. */
export const endOwnInvite =
  ({ database, clock }: Deps) =>
  async (accountId: string, id: string): Promise<void> => {
    if (isId(id)) await transact(database.db, (tx) => new InviteWriter(tx).end(id, new Date(clock.now()), accountId))
  }

/** Ends any invitation for staff, and logs it. One that is over stays as it is. @throws Failure not_found */
export const endInvite =
  ({ database, clock, logAct }: Deps) =>
  async ({ id, staffId }: { id: string; staffId: string }): Promise<void> => {
    if (!isId(id)) throw notFound(`${id} is no id`)
    await transact(database.db, async (tx) => {
      const writer = new InviteWriter(tx)
      const ended = await writer.end(id, new Date(clock.now()))
      if (ended) await logAct(tx, { staffId, action: 'destroy_invite', accountId: ended.accountId, target: ended.code })
      else if (!(await writer.isThere(id))) throw notFound(`no invitation ${id}`)
    })
  }
