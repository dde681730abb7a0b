import { AccountBody, type AccountView } from '@rookery/contracts/statuses'
import { emojiMessage } from '../../emojis/index.ts'
import type { AccountRow } from '../account.store.ts'

/** An account as everybody sees it, encoded once for all of them. */
export const assembleAccount = (row: AccountRow): AccountView => {
  const [id, version, username, displayName, locked, bot, discoverable, indexable, hideCollections, createdAt, note, ...rest] = row
  const [
    avatarUrl,
    avatarStaticUrl,
    headerUrl,
    headerStaticUrl,
    followersCount,
    followingCount,
    statusesCount,
    lastStatusOn,
    fields,
    emojis,
    role,
  ] = rest
  const body: AccountBody = {
    id,
    username,
    displayName,
    locked,
    bot,
    discoverable: discoverable ?? undefined,
    indexable,
    hideCollections: hideCollections ?? undefined,
    createdAtMilliseconds: createdAt.getTime(),
    note,
    avatarUrl,
    avatarStaticUrl,
    headerUrl,
    headerStaticUrl,
    followersCount,
    followingCount,
    statusesCount,
    lastStatusOn: lastStatusOn ?? '',
    fields: fields.map(({ name, html }) => ({ name, value: html, verifiedAtMilliseconds: undefined })),
    isSuspended: false,
    isLimited: false,
    emojis: emojis.map(emojiMessage),
    role,
  }
  return { id, version, body: Buffer.from(AccountBody.encode(body).finish()) }
}
