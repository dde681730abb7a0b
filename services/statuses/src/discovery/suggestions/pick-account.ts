import type { StaffPick } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, handleIn } from '../../people/accounts/index.ts'
import { addPick, readPicks, removePick } from './staff-pick.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; baseUrl: string }

/** @throws Failure not_found for an unknown handle */
const accountOf = async (acct: string, { database, baseUrl }: Deps): Promise<string> => {
  const handle = orNotFound(handleIn(acct, baseUrl), `${acct} is no handle`)
  return orNotFound(await new AccountReader(database.db).idOf(handle), `no one is called ${acct}`)
}

/** Adds a staff pick, which is suggested to everyone who does not follow it; idempotent. @throws Failure not_found */
export const pickAccount =
  (deps: Deps) =>
  async (acct: string): Promise<StaffPick> => {
    const accountId = await accountOf(acct, deps)
    return orNotFound((await addPick(deps.database, { accountId, now: new Date(deps.clock.now()) }))[0])
  }

/** Removes a staff pick. @throws Failure not_found for an account that was not picked */
export const unpickAccount =
  (deps: Deps) =>
  async (acct: string): Promise<StaffPick> =>
    orNotFound((await removePick(deps.database, { accountId: await accountOf(acct, deps) }))[0], `${acct} is not picked`)

/** All staff picks, oldest first. */
export const listPicks =
  ({ database }: Deps) =>
  (): Promise<StaffPick[]> =>
    readPicks(database, {})
