import type { UpdateAccountRequest } from '@rookery/contracts/statuses'
import { type Db, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { renderFieldValue, renderNote } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { AttachmentClaims } from '../../content/attachments/index.ts'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { languageCode, type MentionFinder } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredField } from '../../database/tables/account.ts'
import { requestMarking } from '../../posts/statuses/index.ts'
import { requestAcceptance } from '../graph/index.ts'
import { profileChanged, profilePicturesChanged } from './account.events.ts'
import { type AccountChange, AccountReader, AccountWriter, type ReplacedProfile } from './account.store.ts'
import { fetchLinks } from './fetch-link.ts'
import { stillVerified } from './link.rules.ts'
import { keptDomains, keptFields, privacyNamed, refuseFaults } from './profile.rules.ts'

type Deps = {
  db: Db<StatusesTables>
  outbox: Outbox
  claims: AttachmentClaims
  findMentions: MentionFinder
  findEmojis: EmojiFinder
  baseUrl: string
}

/**
 * Changes a profile; omitted fields are unchanged. Text is rendered once, here (spec, PATCH update_credentials). An account that becomes unlocked
 * accepts its follow requests. Pages that new fields link to are verified later, in jobs.
 * @throws Failure invalid over a limit; not_found for a deleted account
 */
export const updateAccount =
  (deps: Deps) =>
  async (call: Call, update: UpdateAccountRequest): Promise<void> => {
    refuseFaults(update)
    const words: AccountChange = { ...plainColumns(update), ...(await textColumns(deps, update)) }
    const change: AccountChange = {
      ...words,
      ...(await emojiColumns(deps, update.accountId, words)),
      ...(await pictureColumns(deps, call, update)),
    }
    await transact(deps.db, (tx) => apply(deps, tx, { id: update.accountId, change, trace: call.trace }))
  }

const apply = async ({ outbox, baseUrl }: Deps, tx: Tx<StatusesTables>, wanted: { id: string; change: AccountChange; trace: string }) => {
  const { id, change, trace } = wanted
  const writer = new AccountWriter(tx)
  const before = orNotFound(await writer.hold(id))
  const fields = change.fields && stillVerified(change.fields, before.fields)
  const waiting = orNotFound(await writer.change(id, { ...change, ...(fields ? { fields } : {}) }))
  const pictures = picturesChanged(before, change)
  const hasPictures = pictures.keptMediaIds.length + pictures.discardedMediaIds.length > 0
  const events = [
    ...(hasPictures ? [profilePicturesChanged({ accountId: id, ...pictures })] : []),
    ...(isShown(change) ? [profileChanged(id)] : []),
  ]
  if (events.length > 0) await outbox.append(tx, events, trace)
  if (fields) await fetchLinks(tx, { accountId: id, fields, baseUrl })
  if (change.indexable !== undefined && change.indexable !== before.indexable) await requestMarking(tx, id)
  // Requests to an unlocked account are those of silenced people: apps that save a whole profile must not accept them.
  if (before.locked && change.locked === false && waiting > 0) await requestAcceptance(tx, id)
}

/** Columns visible only to the owner. */
const PRIVATE: ReadonlySet<string> = new Set([
  'defaultPrivacy',
  'defaultSensitive',
  'defaultLanguage',
  'defaultQuotePolicy',
  'expandMedia',
  'expandSpoilers',
  'autoplayGifs',
] satisfies (keyof AccountChange)[])

/** Whether a change is visible to others. */
const isShown = (change: AccountChange): boolean => Object.keys(change).some((column) => !PRIVATE.has(column))

/** The files that a profile begins and ceases to use. */
const picturesChanged = (before: ReplacedProfile, change: AccountChange) => {
  const kinds = ['avatarMediaId', 'headerMediaId'] as const
  const changed = kinds.filter((kind) => change[kind] !== undefined && change[kind] !== before[kind])
  return { keptMediaIds: changed.flatMap((kind) => change[kind] ?? []), discardedMediaIds: changed.flatMap((kind) => before[kind] ?? []) }
}

/** Columns with the same names as in the request. */
const SAME = [
  ...(['locked', 'bot', 'discoverable', 'indexable', 'hideCollections', 'showMedia', 'showMediaReplies', 'showFeatured'] as const),
  ...(['expandMedia', 'expandSpoilers', 'autoplayGifs'] as const),
]

const plainColumns = (update: UpdateAccountRequest): AccountChange => ({
  ...Object.fromEntries(SAME.filter((column) => update[column] !== undefined).map((column) => [column, update[column]])),
  ...(update.displayName === undefined ? {} : { displayName: update.displayName.trim() }),
  ...(update.privacy === undefined ? {} : { defaultPrivacy: privacyNamed(update.privacy)! }),
  ...(update.sensitive === undefined ? {} : { defaultSensitive: update.sensitive }),
  ...(update.language === undefined ? {} : { defaultLanguage: languageCode(update.language) ?? null }),
  ...(update.quotePolicy === undefined ? {} : { defaultQuotePolicy: update.quotePolicy }),
  ...(update.attributionDomains ? { attributionDomains: keptDomains(update.attributionDomains.domains) } : {}),
})

const textColumns = async ({ findMentions, baseUrl }: Deps, update: UpdateAccountRequest): Promise<AccountChange> => {
  const note = update.note?.trim()
  const texts = [note ?? '', ...(update.fields?.fields ?? []).map(({ value }) => value)]
  const place = { baseUrl, domain: new URL(baseUrl).host, mentions: await findMentions(texts.join('\n')) }
  const fields: StoredField[] | undefined =
    update.fields && keptFields(update.fields.fields).map(({ name, value }) => ({ name, value, html: renderFieldValue(value, place) }))
  return {
    ...(note === undefined ? {} : { note, noteHtml: renderNote(note, place) }),
    ...(fields ? { fields } : {}),
  }
}

/** The emojis of the whole profile, of which an update may have a part. */
const emojiColumns = async ({ db, findEmojis }: Deps, accountId: string, words: AccountChange): Promise<AccountChange> => {
  if (words.displayName === undefined && words.note === undefined && !words.fields) return {}
  const { displayName, note, fields } = { ...orNotFound(await new AccountReader(db).texts(accountId)), ...words }
  return { emojis: await findEmojis([displayName, note, ...fields.flatMap(({ name, value }) => [name, value])]) }
}

const NO_AVATAR: AccountChange = { avatarMediaId: null, avatarUrl: '', avatarStaticUrl: '' }
const NO_HEADER: AccountChange = { headerMediaId: null, headerUrl: '', headerStaticUrl: '' }

const pictureColumns = async ({ claims }: Deps, call: Call, update: UpdateAccountRequest): Promise<AccountChange> => {
  const ids = [update.avatarMediaId, update.headerMediaId].filter((id): id is string => Boolean(id))
  const claimed = await claims(call, { ownerId: update.accountId, ids, subjectId: update.accountId })
  const pictures = new Map(claimed.map((attachment) => [attachment.id, attachment]))
  const avatar = pictures.get(update.avatarMediaId ?? '')
  const header = pictures.get(update.headerMediaId ?? '')
  return {
    ...(update.removeAvatar ? NO_AVATAR : {}),
    ...(update.removeHeader ? NO_HEADER : {}),
    ...(avatar ? { avatarMediaId: avatar.id, avatarUrl: avatar.url, avatarStaticUrl: avatar.previewUrl || avatar.url } : {}),
    ...(header ? { headerMediaId: header.id, headerUrl: header.url, headerStaticUrl: header.previewUrl || header.url } : {}),
  }
}
