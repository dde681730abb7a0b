import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import { appealChanged } from './appeal.events.ts'
import { faultOfAppeal, isOpenToAppeal } from './appeal.rules.ts'
import { AppealReader, AppealWriter, type Strike } from './appeal.store.ts'

type Deps = { database: Database<AuthTables>; outbox: Outbox; clock: Clock }

/** Reads an act on an account. @throws Failure not_found, also for an act on another account */
export const readStrike =
  ({ database }: Pick<Deps, 'database'>) =>
  async (accountId: string, id: string): Promise<Strike> => {
    const strike = await new AppealReader(database.db).strike(id)
    return orNotFound(strike?.accountId === accountId ? strike : undefined, `no act ${id} on ${accountId}`)
  }

/**
 * Appeals an act on the person's own account, once. Returns the fault of the text, if any. A repeated or late appeal changes nothing.
 * @throws Failure not_found
 */
export const appealAct = (deps: Deps) => {
  const read = readStrike(deps)
  return async (accountId: string, id: string, given: string): Promise<ReturnType<typeof faultOfAppeal>> => {
    const now = deps.clock.now()
    const strike = await read(accountId, id)
    if (!isOpenToAppeal(strike, now)) return undefined
    const text = given.trim().replaceAll('\r\n', '\n')
    const fault = faultOfAppeal(text)
    if (fault) return fault
    await transact(deps.database.db, async (tx) => {
      const appeal = { actId: id, accountId, text, state: 'pending', createdAt: new Date(now), decidedAt: null } as const
      if (await new AppealWriter(tx).add(appeal)) await deps.outbox.append(tx, [appealChanged(strike, appeal)])
    })
    return undefined
  }
}
