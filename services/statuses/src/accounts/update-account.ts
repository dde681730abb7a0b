import { LIMITS } from '@rookery/contracts/limits'
import { type UpdateAccountRequest, Visibility } from '@rookery/contracts/statuses'
import { type Db, transact } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import { countCharacters, renderFieldValue, renderNote } from '@rookery/markup'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../database/schema.ts'
import type { EmojiFinder } from '../emojis/index.ts'
import { requestAcceptance } from '../graph/index.ts'
import type { AttachmentClaims } from '../statuses/index.ts'
import type { MentionFinder } from '../text/index.ts'
import { type AccountChange, AccountReader, AccountWriter } from './account.store.ts'
import type { StoredField } from './account.tables.ts'

const graphemes = new Intl.Segmenter()
const lengthOf = (text: string) => (text.length > 10_000 ? text.length : [...graphemes.segment(text)].length)

const PRIVACY: Record<string, Visibility> = { public: Visibility.PUBLIC, unlisted: Visibility.UNLISTED, private: Visibility.PRIVATE }

/** What of an update breaks the limits (spec, Limits 3; beyond-the-spec 1.2), in the contract's words. */
const faultsOf = (update: UpdateAccountRequest): string[] => {
  const { displayNameLength, noteLength, maxProfileFields, profileFieldNameLength, profileFieldValueLength } = LIMITS.accounts
  const faults: string[] = []
  if (lengthOf(update.displayName ?? '') > displayNameLength)
    faults.push(`Display name is too long (maximum is ${displayNameLength} characters)`)
  if (countCharacters(update.note ?? '') > noteLength) faults.push(`Note is too long (maximum is ${noteLength} characters)`)
  const fields = update.fields?.fields ?? []
  if (fields.length > maxProfileFields) faults.push(`Fields are too many (maximum is ${maxProfileFields})`)
  if (fields.some(({ name }) => lengthOf(name) > profileFieldNameLength)) {
    faults.push(`Fields name is too long (maximum is ${profileFieldNameLength} characters)`)
  }
  if (fields.some(({ value }) => lengthOf(value) > profileFieldValueLength)) {
    faults.push(`Fields value is too long (maximum is ${profileFieldValueLength} characters)`)
  }
  if (fields.some(({ name, value }) => name.trim() === '' && value.trim() !== '')) faults.push("Fields name can't be blank")
  if (update.privacy !== undefined && !Object.hasOwn(PRIVACY, update.privacy)) faults.push('Privacy is not included in the list')
  if (update.language && !/^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(update.language)) faults.push('Language is not included in the list')
  return faults
}

type Given = { db: Db<StatusesTables>; claims: AttachmentClaims; findMentions: MentionFinder; findEmojis: EmojiFinder; baseUrl: string }

/**
 * Changes a profile: what is left out stays. Text is rendered once, here (spec, PATCH update_credentials).
 * An account that opens up lets in who asked to follow it.
 * @throws Failure invalid over a limit, not_found for an account that is gone
 */
export const updateAccount =
  (given: Given) =>
  async (call: Call, update: UpdateAccountRequest): Promise<void> => {
    const faults = faultsOf(update)
    if (faults.length > 0) throw invalid(...faults)
    const words: AccountChange = { ...plainColumns(update), ...(await textColumns(given, update)) }
    const change: AccountChange = {
      ...words,
      ...(await emojiColumns(given, update.accountId, words)),
      ...(await pictureColumns(given, call, update)),
    }
    await transact(given.db, async (tx) => {
      const waiting = orNotFound(await new AccountWriter(tx).change(update.accountId, change))
      if (update.locked === false && waiting > 0) await requestAcceptance(tx, update.accountId)
    })
  }

const plainColumns = (update: UpdateAccountRequest): AccountChange => ({
  ...(update.displayName === undefined ? {} : { display_name: update.displayName.trim() }),
  ...(update.locked === undefined ? {} : { locked: update.locked }),
  ...(update.bot === undefined ? {} : { bot: update.bot }),
  ...(update.discoverable === undefined ? {} : { discoverable: update.discoverable }),
  ...(update.indexable === undefined ? {} : { indexable: update.indexable }),
  ...(update.hideCollections === undefined ? {} : { hide_collections: update.hideCollections }),
  ...(update.privacy === undefined ? {} : { default_privacy: PRIVACY[update.privacy]! }),
  ...(update.sensitive === undefined ? {} : { default_sensitive: update.sensitive }),
  ...(update.language === undefined ? {} : { default_language: update.language || null }),
})

const textColumns = async ({ findMentions, baseUrl }: Given, update: UpdateAccountRequest): Promise<AccountChange> => {
  const texts = [update.note ?? '', ...(update.fields?.fields ?? []).map(({ value }) => value)]
  const place = { baseUrl, domain: new URL(baseUrl).host, mentions: await findMentions(texts.join('\n')) }
  const fields: StoredField[] | undefined = update.fields?.fields
    .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
    .filter(({ name, value }) => name !== '' || value !== '')
    .map(({ name, value }) => ({ name, value, html: renderFieldValue(value, place) }))
  return {
    ...(update.note === undefined ? {} : { note: update.note, note_html: renderNote(update.note, place) }),
    ...(fields ? { fields } : {}),
  }
}

/** The emojis of the whole profile, of which an update may name a part. */
const emojiColumns = async ({ db, findEmojis }: Given, accountId: string, words: AccountChange): Promise<AccountChange> => {
  if (words.display_name === undefined && words.note === undefined && !words.fields) return {}
  const { display_name, note, fields } = { ...orNotFound(await new AccountReader(db).texts(accountId)), ...words }
  return { emojis: await findEmojis([display_name, note, ...fields.flatMap(({ name, value }) => [name, value])]) }
}

const pictureColumns = async ({ claims }: Given, call: Call, update: UpdateAccountRequest): Promise<AccountChange> => {
  const ids = [update.avatarMediaId, update.headerMediaId].filter((id): id is string => Boolean(id))
  if (ids.length === 0) return {}
  const claimed = await claims(call, { ownerId: update.accountId, ids, subjectId: update.accountId })
  const pictures = new Map(claimed.map((attachment) => [attachment.id, attachment]))
  const avatar = pictures.get(update.avatarMediaId ?? '')
  const header = pictures.get(update.headerMediaId ?? '')
  return {
    ...(avatar ? { avatar_url: avatar.url, avatar_static_url: avatar.previewUrl || avatar.url } : {}),
    ...(header ? { header_url: header.url, header_static_url: header.previewUrl || header.url } : {}),
  }
}
