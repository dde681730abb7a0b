import type { AccountBody } from '@rookery/contracts/statuses'
import { type Addresses, profileOf } from '@rookery/entities'
import { type Html, html, inReadingOrder } from '@rookery/pages'
import { textWithEmojis } from './emojis.ts'

/** A person's display name. */
export const nameOf = ({ displayName, username }: AccountBody): string => inReadingOrder(displayName) || username

/** Whether search engines may index pages of a person: they allow it, and staff did not limit or suspend them. */
export const mayBeIndexed = ({ indexable, isSuspended, isLimited }: AccountBody): boolean => indexable && !isSuspended && !isLimited

/** A person's full handle, with the domain of this server for its own. */
export const handleOf = ({ username, origin }: AccountBody, host: string): string => `@${username}@${origin?.domain ?? host}`

export const avatarOf = ({ avatarStaticUrl, avatarUrl }: AccountBody, urls: Addresses): string =>
  avatarStaticUrl || avatarUrl || urls.missingAvatar

/** A person's picture, name and handle; as the heading on their own page, elsewhere as a link to it. */
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

/** The images of a person. */
export const filesOfPerson = (account: AccountBody, urls: Addresses): string[] => [
  avatarOf(account, urls),
  ...account.emojis.map(({ url }) => url),
]
