import type { StaffPick } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, localUsername } from '../../people/accounts/index.ts'
import { addPick, readPicks, removePick } from './staff-pick.store.ts'

type Given = { database: Database<StatusesTables>; clock: Clock; baseUrl: string }

/** @throws Failure not_found for a handle nobody here has */
const accountOf = async (acct: string, { database, baseUrl }: Given): Promise<string> => {
  const username = orNotFound(localUsername(acct, baseUrl), `${acct} is no handle of this server`)
  return orNotFound(await new AccountReader(database.db).idOf(username), `nobody is called ${username}`)
}

/** Suggests an account to everybody who does not follow it; again changes nothing. @throws Failure not_found */
export const pickAccount =
  (given: Given) =>
  async (acct: string): Promise<StaffPick> => {
    const accountId = await accountOf(acct, given)
    return orNotFound((await addPick(given.database, { accountId, now: new Date(given.clock.now()) }))[0])
  }

/** Suggests it no more. @throws Failure not_found for an account that was not picked */
export const unpickAccount =
  (given: Given) =>
  async (acct: string): Promise<StaffPick> =>
    orNotFound((await removePick(given.database, { accountId: await accountOf(acct, given) }))[0], `${acct} is not picked`)

/** All that are picked, the first first. */
export const listPicks =
  ({ database }: Given) =>
  (): Promise<StaffPick[]> =>
    readPicks(database, {})
