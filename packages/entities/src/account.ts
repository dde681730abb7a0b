import { isRoleName, ROLES } from '@rookery/contracts/permissions'
import type { AccountBody } from '@rookery/contracts/statuses'
import { type Addresses, acctOf, profileOf } from './addresses.ts'
import { customEmojiEntity } from './custom-emoji.ts'
import { midnight, timestamp } from './timestamp.ts'

/** The time format of verified_at, with an offset instead of Z (beyond-the-spec 0.3). */
export const verifiedAt = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : timestamp(milliseconds).replace('Z', '+00:00')

/** The role to show on a profile, if any. */
const rolesOf = (name: string) => {
  const role = isRoleName(name) ? ROLES[name] : ROLES.user
  return role.isHighlighted ? [{ id: role.id, name: role.name, color: role.color }] : []
}

/** The profile's content; empty for a suspended account. */
const personal = ({ isSuspended, displayName, note, locked, bot, discoverable, indexable, emojis, fields }: AccountBody) =>
  isSuspended
    ? { displayName: '', note: '', locked: false, bot: false, discoverable: false, indexable: false, emojis: [], fields: [] }
    : {
        ...{ displayName, note, locked, bot, discoverable: discoverable ?? null, indexable },
        emojis: emojis.map(customEmojiEntity),
        fields: fields.map(({ name, value, verifiedAtMilliseconds }) => ({ name, value, verified_at: verifiedAt(verifiedAtMilliseconds) })),
      }

/** Keys that only accounts of this server have (beyond-the-spec 1.1). */
const ofLocal = ({ origin, isSuspended, indexable, role }: AccountBody) =>
  origin ? {} : { noindex: isSuspended || !indexable, roles: isSuspended ? [] : rolesOf(role) }

/** Keys that are present only when true. */
const marks = ({ isSuspended, isLimited, isMemorial }: AccountBody) => ({
  ...(isSuspended && { suspended: true }),
  ...(isLimited && { limited: true }),
  ...(isMemorial && { memorial: true }),
})

/** The URLs of the pictures, with placeholders for missing ones. */
const picturesOf = (account: AccountBody, { missingAvatar, missingHeader }: Addresses) => ({
  avatar: account.avatarUrl || missingAvatar,
  avatar_static: account.avatarStaticUrl || account.avatarUrl || missingAvatar,
  header: account.headerUrl || missingHeader,
  header_static: account.headerStaticUrl || account.headerUrl || missingHeader,
})

/** Account (spec, Resources; beyond-the-spec 1.1). A suspended account is blanked. */
export const accountEntity = (account: AccountBody, urls: Addresses) => {
  const { displayName, note, locked, bot, discoverable, indexable, emojis, fields } = personal(account)
  return {
    id: account.id,
    username: account.username,
    acct: acctOf(account),
    display_name: displayName,
    locked,
    bot,
    discoverable,
    indexable,
    group: account.isGroup ?? false,
    created_at: midnight(account.createdAtMilliseconds),
    note,
    url: profileOf(account, urls),
    uri: account.origin?.uri ?? urls.actor(account.username),
    ...picturesOf(account, urls),
    followers_count: account.followersCount,
    following_count: account.followingCount,
    statuses_count: account.statusesCount,
    last_status_at: account.lastStatusOn || null,
    hide_collections: account.hideCollections ?? null,
    emojis,
    fields,
    ...ofLocal(account),
    ...marks(account),
  }
}
