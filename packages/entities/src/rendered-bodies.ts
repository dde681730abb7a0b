import { type Cache, ownBytes } from '@rookery/cache'
import { AccountBody, type AccountView, type Credentials, StatusBody, type StatusView } from '@rookery/contracts/statuses'
import { withQuoteInline } from '@rookery/markup'
import { accountEntity } from './account.ts'
import type { Addresses } from './addresses.ts'
import { credentialAccountEntity, type HeldRole } from './credential-account.ts'
import { extendedJson, jsonWith } from './json-with.ts'
import { attributedCardJson } from './preview-card.ts'
import { statusBodyEntity, statusPlace } from './status.ts'

/**
 * Rendered JSON of a version, in bytes of its own; for a status also the version of its author's account, and where that account begins.
 */
type Rendered = {
  readonly version: number
  readonly json: Buffer
  readonly author?: { readonly version: string; readonly start: number }
}

/** Caches JSON that is the same for every viewer, by (id, version). */
export type RenderedBodies = {
  account(view: AccountView): Buffer
  /** The account with what only its owner may see. */
  credentials(credentials: Credentials, role: HeldRole): Buffer
  /** A status with its account and without its closing brace, so that further keys can follow; sensitive if all media of its author are. */
  status(view: StatusView, author: AccountView): Buffer
  /** The same with accounts and statuses of others. These are few and not cached: those may change at any time. */
  withOthers(view: StatusView, author: AccountView, others: Others): Buffer
}

/** The data of others in a status: the account of its card's author, and the quoted status, if the viewer may see it. */
export type Others = { readonly cardAuthor?: AccountView | undefined; readonly quoted?: StatusView | undefined }

type Deps = { urls: Addresses; statuses: Cache<Rendered>; accounts: Cache<Rendered> }

const ACCOUNT_KEY = Buffer.from(',"account":')

/** A status, with what moderators decided on its author's media. */
const entityOf = (body: StatusBody, { isSensitized, rejectsMedia = false }: AccountView, urls: Addresses) => {
  const entity = statusBodyEntity(body, urls, { rejectsMedia })
  return isSensitized ? { ...entity, sensitive: true } : entity
}

/** The body of a status with a link to the quoted status in its text. */
const quotingBody = (body: StatusBody, quoted: StatusView, urls: Addresses): StatusBody => ({
  ...body,
  content: withQuoteInline(body.content, statusPlace(StatusBody.decode(quoted.body), urls).url),
})

/** The version of an account together with that of the account it moved to. */
const versionOf = ({ version, moved }: AccountView): string => (moved ? `${version} ${moved.id} ${moved.version}` : String(version))

/** Statuses and accounts have separate caches, keyed by their ids: V8 would have to intern a key that is concatenated for each look-up. */
export const createRenderedBodies = ({ urls, statuses, accounts }: Deps): RenderedBodies => {
  const cached = (key: string, version: number, render: () => Buffer) => {
    const known = accounts.get(key, (rendered) => rendered.version === version)
    if (known) return known.json
    const json = ownBytes(render())
    // A page read before an edit must not evict what was rendered after it.
    const newest = accounts.peek(key)
    if (!newest || newest.version < version) accounts.set(key, { version, json })
    return json
  }

  const accountItself = (view: AccountView) =>
    cached(view.id, view.version, () => Buffer.from(JSON.stringify(accountEntity(AccountBody.decode(view.body), urls))))

  /** An account's JSON with that of the account it moved to, which has a version of its own. */
  const withMoved = (json: Buffer, moved: AccountView | undefined) => (moved ? extendedJson(json, { moved: accountItself(moved) }) : json)

  const account = (view: AccountView) => withMoved(accountItself(view), view.moved)

  const statusItself = (view: StatusView, author: AccountView) =>
    Buffer.from(JSON.stringify(entityOf(StatusBody.decode(view.body), author, urls))).subarray(0, -1)

  return {
    account,
    credentials(given, role) {
      const { id = '', version = 0 } = given.account ?? {}
      const json = cached(`owner ${id} ${role.name} ${role.permissions}`, version, () =>
        Buffer.from(JSON.stringify(credentialAccountEntity(given, role, urls))),
      )
      return withMoved(json, given.account?.moved)
    },
    withOthers(view, author, { cardAuthor, quoted }) {
      const body = StatusBody.decode(view.body)
      const { card, ...entity } = entityOf(quoted ? quotingBody(body, quoted, urls) : body, author, urls)
      const cardJson = body.card && cardAuthor ? attributedCardJson(body.card, account(cardAuthor)) : Buffer.from(JSON.stringify(card))
      return jsonWith(entity, { card: cardJson, account: account(author) }).subarray(0, -1)
    },
    status(view, author) {
      const { isSensitized: isSensitive = false, rejectsMedia = false } = author
      const key = `${isSensitive ? 'sensitive ' : ''}${rejectsMedia ? 'rejected ' : ''}${view.id}`
      const { version } = view
      const authorVersion = versionOf(author)
      const known = statuses.get(key, (rendered) => rendered.version === version && rendered.author?.version === authorVersion)
      if (known) return known.json
      const newest = statuses.peek(key)
      const itself = newest?.version === version ? newest.json.subarray(0, newest.author?.start) : statusItself(view, author)
      const json = ownBytes(Buffer.concat([itself, ACCOUNT_KEY, account(author)]))
      // A page read before an edit must not evict what was rendered after it.
      if (!newest || newest.version <= version)
        statuses.set(key, { version, json, author: { version: authorVersion, start: itself.length } })
      return json
    },
  }
}
