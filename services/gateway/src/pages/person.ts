import type { AccountBody } from '@rookery/contracts/statuses'
import { type Addresses, profileOf } from '@rookery/entities'
import { type Html, html, inReadingOrder } from '@rookery/pages'
import { textWithEmojis } from './emojis.ts'

/** What a person is called. */
export const nameOf = ({ displayName, username }: AccountBody): string => inReadingOrder(displayName) || username

/** Whether search engines may show pages of a person: they want it, and staff did not limit or suspend them. */
export const mayBeIndexed = ({ indexable, isSuspended, isLimited }: AccountBody): boolean => indexable && !isSuspended && !isLimited

/** A person's handle, with the domain of this server for its own. */
export const handleOf = ({ username, origin }: AccountBody, host: string): string => `@${username}@${origin?.domain ?? host}`

export const avatarOf = ({ avatarStaticUrl, avatarUrl }: AccountBody, urls: Addresses): string =>
  avatarStaticUrl || avatarUrl || urls.missingAvatar

/** A person's picture, name and handle; on their own page as its heading, elsewhere as the way there. */
export const personPart = (
  account: AccountBody,
  { urls, host, isOwnPage, bot }: { urls: Addresses; host: string; isOwnPage?: boolean; bot?: string },
): Html => {
  const name = textWithEmojis(nameOf(account), account.emojis)
  const picture = html`<img src="${avatarOf(account, urls)}" alt="">`
  const handle = html`<span>${handleOf(account, host)}${account.bot && bot && ` · ${bot}`}</span>`
  if (isOwnPage) return html`<div class="person large">${picture}<div><h1>${name}</h1>${handle}</div></div>`
  return html`<a class="person" href="${profileOf(account, urls)}">${picture}<div><strong>${name}</strong>${handle}</div></a>`
}

/** Pictures that go with a person. */
export const filesOfPerson = (account: AccountBody, urls: Addresses): string[] => [
  avatarOf(account, urls),
  ...account.emojis.map(({ url }) => url),
]
