import { ownBytes } from '@rookery/cache'
import { AccountBody, type AccountView } from '@rookery/contracts/statuses'
import { emojiMessage } from '../../content/emojis/index.ts'
import type { AccountRow } from '../account.store.ts'
import { originOf } from './origin.ts'

/** The fields that are blank for a suspended account (beyond-the-spec 1.1). */
const BLANK = { displayName: '', note: '', avatarUrl: '', avatarStaticUrl: '', headerUrl: '', headerStaticUrl: '', fields: [], emojis: [] }

/** The image fields of an account whose media are hidden. */
const NO_PICTURES = { avatarUrl: '', avatarStaticUrl: '', headerUrl: '', headerStaticUrl: '', emojis: [] }

/** A presented account, the same for every viewer, and the id of the account it moved to. */
export type AccountEntry = AccountView & { movedToId: string | undefined }

/** Presents an account for every viewer, encoded once. */
export const presentAccount = (row: AccountRow): AccountEntry => {
  const { id, version, isSuspended } = row
  const body: AccountBody = {
    id,
    username: row.username,
    displayName: row.displayName,
    locked: row.locked,
    bot: row.bot,
    discoverable: row.discoverable ?? undefined,
    indexable: row.indexable,
    hideCollections: row.hideCollections ?? undefined,
    createdAtMilliseconds: row.createdAt.getTime(),
    note: row.noteHtml,
    avatarUrl: row.avatarUrl,
    avatarStaticUrl: row.avatarStaticUrl,
    headerUrl: row.headerUrl,
    headerStaticUrl: row.headerStaticUrl,
    followersCount: row.followersCount,
    followingCount: row.followingCount,
    statusesCount: row.statusesCount,
    lastStatusOn: row.lastStatusOn ?? '',
    fields: row.fields.map(({ name, html, verified_at }) => ({ name, value: html, verifiedAtMilliseconds: verified_at })),
    isSuspended,
    isLimited: row.isSilenced,
    emojis: row.emojis.map(emojiMessage),
    role: row.role,
    isMemorial: row.isMemorial || undefined,
    origin: originOf(row),
    isGroup: row.isGroup || undefined,
    ...(row.rejectsMedia ? NO_PICTURES : {}),
    ...(isSuspended ? BLANK : {}),
  }
  const movedToId = isSuspended ? undefined : (row.movedToId ?? undefined)
  return {
    id,
    version,
    body: ownBytes(AccountBody.encode(body).finish()),
    isSensitized: row.isSensitized || undefined,
    rejectsMedia: row.rejectsMedia || undefined,
    movedToId,
  }
}
