import type { Clock } from '@rookery/runtime'
import { openStatuses } from '../../statuses/tests/beside.ts'
import { statusesClients } from '../src/module.ts'

export { statusesSchema } from '../../statuses/tests/beside.ts'

/** An account as statuses holds it. */
export type Account = {
  id: string
  username: string
  isActive: boolean
  locale: string | null
  role: string
  isSilenced: boolean
  isSuspended: boolean
}

const ACCOUNTS = `select id, username, is_active "isActive", locale, role, is_silenced "isSilenced", is_suspended "isSuspended"
  from statuses.account where closed_at is null order by id`

/** Statuses beside auth, with the accounts that it holds. */
export const openAccounts = (given: { url: string; clock: Clock; rows: (text: string) => Promise<unknown[]> }) => {
  const statuses = openStatuses(given)
  const accounts = async () => (await given.rows(ACCOUNTS)) as Account[]
  return Object.assign(statuses, {
    clients: statusesClients(statuses.connected),
    /** The accounts that are open, the oldest first. */
    accounts,
    account: async (id: string) => (await accounts()).find((each) => each.id === id),
  })
}

export type Statuses = ReturnType<typeof openAccounts>
