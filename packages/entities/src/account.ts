import { isRoleName, ROLES } from '@rookery/contracts/permissions'
import type { AccountBody } from '@rookery/contracts/statuses'
import { type Addresses, acctOf, profileOf } from './addresses.ts'
import { customEmojiEntity } from './custom-emoji.ts'
import { midnight, timestamp } from './timestamp.ts'

/** A moment as verified_at writes it, with an offset instead of Z (beyond-the-spec 0.3). */
export const verifiedAt = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : timestamp(milliseconds).replace('Z', '+00:00')

/** The role that a profile shows, if it is one to show. */
const rolesOf = (name: string) => {
  const role = isRoleName(name) ? ROLES[name] : ROLES.user
  return role.isHighlighted ? [{ id: role.id, name: role.name, color: role.color }] : []
}

/** Account (spec, Resources; beyond-the-spec 1.1). A suspended account is blanked. */
export const accountEntity = (account: AccountBody, urls: Addresses) => ({
  id: account.id,
  username: account.username,
  acct: acctOf(account),
  display_name: account.isSuspended ? '' : account.displayName,
  locked: account.locked,
  bot: account.bot,
  discoverable: account.discoverable ?? null,
  indexable: account.indexable,
  noindex: !account.indexable,
  group: account.isGroup ?? false,
  created_at: midnight(account.createdAtMilliseconds),
  note: account.isSuspended ? '' : account.note,
  url: profileOf(account, urls),
  uri: account.origin?.uri ?? urls.actor(account.username),
  avatar: account.avatarUrl || urls.missingAvatar,
  avatar_static: account.avatarStaticUrl || account.avatarUrl || urls.missingAvatar,
  header: account.headerUrl || urls.missingHeader,
  header_static: account.headerStaticUrl || account.headerUrl || urls.missingHeader,
  followers_count: account.followersCount,
  following_count: account.followingCount,
  statuses_count: account.statusesCount,
  last_status_at: account.lastStatusOn || null,
  hide_collections: account.hideCollections ?? null,
  emojis: account.isSuspended ? [] : account.emojis.map(customEmojiEntity),
  roles: account.isSuspended ? [] : rolesOf(account.role),
  fields: account.isSuspended
    ? []
    : account.fields.map(({ name, value, verifiedAtMilliseconds }) => ({ name, value, verified_at: verifiedAt(verifiedAtMilliseconds) })),
  ...(account.isSuspended ? { suspended: true } : {}),
  ...(account.isLimited ? { limited: true } : {}),
  ...(account.isMemorial ? { memorial: true } : {}),
})
