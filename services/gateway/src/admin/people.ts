import { mayActOn } from '@rookery/contracts/permissions'
import { type Html, inReadingOrder } from '@rookery/pages'
import { textWithEmojis } from '../pages/emojis.ts'
import type { AdminAccount } from './entities.ts'
import type { RecordParts } from './parts.ts'
import { roleNamed, roleOf } from './rank.rules.ts'
import type { Texts } from './texts/index.ts'
import type { Visit } from './visit.ts'

/** The path of an account's page. */
export const accountPath = ({ id }: { id: string }): string => `/admin/accounts/${id}`

export const nameOf = ({ account }: Pick<AdminAccount, 'account'>): string => inReadingOrder(account.display_name) || `@${account.username}`

type Named = Pick<AdminAccount, 'account'>

/** A text that contains a display name, with the name's custom emojis. */
export const withName = (text: string, { account }: Named): Html => textWithEmojis(text, account.emojis)

/** A display name with its custom emojis. */
export const namePart = (account: Named): Html => withName(nameOf(account), account)

/** Whether the person of a visit may act on an account. */
export const mayAct = ({ holder }: Visit, account: Pick<AdminAccount, 'id' | 'role'>): boolean =>
  mayActOn({ accountId: holder.accountId, role: roleNamed(holder.role) }, { accountId: account.id, role: roleOf(account) })

/** Labels for the state of an account. */
export const marksOf = (account: AdminAccount, { accounts }: Texts): (string | false)[] => [
  roleOf(account) !== 'user' && accounts.roles[roleOf(account)],
  !account.confirmed && accounts.unconfirmed,
  !account.approved && accounts.statuses.pending,
  account.disabled && !account.suspended && accounts.statuses.disabled,
  account.silenced && accounts.statuses.silenced,
  account.suspended && accounts.statuses.suspended,
  account.sensitized && accounts.statuses.sensitized,
]

/** Username and address of an account; an account without a display name is already titled by its username. */
export const recordFacts = (account: AdminAccount): (string | false)[] => [
  nameOf(account) !== `@${account.username}` && `@${account.username}`,
  account.email,
]

/** An account in a list. */
export const accountRecord = (account: AdminAccount, texts: Texts): RecordParts => ({
  title: namePart(account),
  href: accountPath(account),
  picture: account.account.avatar_static,
  marks: marksOf(account, texts),
  facts: recordFacts(account),
})

/** The images that records and names of accounts show. */
export const filesOfAccounts = (accounts: readonly AdminAccount[]): string[] =>
  accounts.flatMap(({ account }) => [account.avatar_static, ...account.emojis.map(({ url }) => url)])
