import { ownBytes } from '@rookery/cache'
import { AccountBody, type AccountView } from '@rookery/contracts/statuses'
import { emojiMessage } from '../../content/emojis/index.ts'
import type { AccountRow } from '../account.store.ts'

/** What a suspended person's account says no more (beyond-the-spec 1.1). */
const BLANK = { displayName: '', note: '', avatarUrl: '', avatarStaticUrl: '', headerUrl: '', headerStaticUrl: '', fields: [], emojis: [] }

/** An account as everybody sees it, and the id of where the person moved to. */
export type AccountEntry = AccountView & { movedToId: string | undefined }

/** An account as everybody sees it, encoded once for all of them. */
export const assembleAccount = (row: AccountRow): AccountEntry => {
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
    isLimited,
    isSuspended,
    isMemorial,
    movedToId,
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
    fields: fields.map(({ name, html, verified_at }) => ({ name, value: html, verifiedAtMilliseconds: verified_at })),
    isSuspended,
    isLimited,
    emojis: emojis.map(emojiMessage),
    role,
    isMemorial: isMemorial || undefined,
    ...(isSuspended ? BLANK : {}),
  }
  const leadsTo = isSuspended ? undefined : (movedToId ?? undefined)
  return { id, version, body: ownBytes(AccountBody.encode(body).finish()), movedToId: leadsTo }
}
