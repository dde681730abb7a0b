import { inReadingOrder } from '@rookery/pages'
import type { AdminAccount } from './entities.ts'
import type { RecordParts } from './parts.ts'
import type { Texts } from './texts/index.ts'

/** The page of an account. */
export const accountPath = ({ id }: { id: string }): string => `/admin/accounts/${id}`

export const nameOf = ({ account }: Pick<AdminAccount, 'account'>): string => inReadingOrder(account.display_name) || `@${account.username}`

/** Words for the state of an account. */
export const marksOf = (account: AdminAccount, { accounts }: Texts): (string | false)[] => [
  account.role !== null && account.role.name !== '' && account.role.name,
  !account.confirmed && accounts.unconfirmed,
  !account.approved && accounts.statuses.pending,
  account.disabled && !account.suspended && accounts.statuses.disabled,
  account.silenced && accounts.statuses.silenced,
  account.suspended && accounts.statuses.suspended,
  account.sensitized && accounts.statuses.sensitized,
]

/** Username and address of an account; a person without a name is already called by their username. */
export const recordFacts = (account: AdminAccount): (string | false)[] => [
  nameOf(account) !== `@${account.username}` && `@${account.username}`,
  account.email,
]

/** An account among others. */
export const accountRecord = (account: AdminAccount, texts: Texts): RecordParts => ({
  title: nameOf(account),
  href: accountPath(account),
  picture: account.account.avatar_static,
  marks: marksOf(account, texts),
  facts: recordFacts(account),
})

/** Pictures that records of accounts show. */
export const filesOfAccounts = (accounts: readonly AdminAccount[]): string[] => accounts.map(({ account }) => account.avatar_static)
