import { type Cache, ownBytes } from '@rookery/cache'
import type { RoleName } from '@rookery/contracts/permissions'
import { AccountBody, type AccountView, type Credentials, StatusBody, type StatusView } from '@rookery/contracts/statuses'
import { accountEntity } from './account.ts'
import type { Addresses } from './addresses.ts'
import { credentialAccountEntity } from './credential-account.ts'
import { statusBodyEntity } from './status.ts'

/** JSON of something of a version, in bytes of its own; of a status with its author's account, also which version of that, and where it begins. */
export type Rendered = {
  readonly version: number
  readonly json: Buffer
  readonly author?: { readonly version: string; readonly start: number }
}

/** JSON that is the same for every viewer, kept by (id, version). */
export type RenderedBodies = {
  account(view: AccountView): Buffer
  /** The account with what only its owner sees. */
  credentials(credentials: Credentials, role: RoleName): Buffer
  /** A status with its account and without its closing brace, so that the other keys can follow; the media as those of its author are shown. */
  status(view: StatusView, author: AccountView): Buffer
}

type Deps = { urls: Addresses; statuses: Cache<Rendered>; accounts: Cache<Rendered> }

const ACCOUNT_KEY = Buffer.from(',"account":')
const MOVED_KEY = Buffer.from(',"moved":')
const CLOSE_OBJECT = Buffer.from('}')

/** The version of all that an account shows. */
const versionOf = ({ version, moved }: AccountView): string => (moved ? `${version} ${moved.id} ${moved.version}` : String(version))

/**
 * Keeps statuses and accounts apart, so that their ids are the keys: a key that is a new string each time would first be looked up among all strings of
 * the process.
 */
export const createRenderedBodies = ({ urls, statuses, accounts }: Deps): RenderedBodies => {
  const cached = (key: string, version: number, render: () => Buffer) => {
    const known = accounts.get(key, (rendered) => rendered.version === version)
    if (known) return known.json
    const json = ownBytes(render())
    // A page read before an edit must not push out what was rendered after it.
    const newest = accounts.peek(key)
    if (!newest || newest.version < version) accounts.set(key, { version, json })
    return json
  }

  const accountItself = (view: AccountView) =>
    cached(view.id, view.version, () => Buffer.from(JSON.stringify(accountEntity(AccountBody.decode(view.body), urls))))

  /** JSON of an account with that of where the person moved to, which has a version of its own. */
  const withMoved = (json: Buffer, moved: AccountView | undefined) =>
    moved ? Buffer.concat([json.subarray(0, -1), MOVED_KEY, accountItself(moved), CLOSE_OBJECT]) : json

  const statusItself = (view: StatusView, { isSensitive, rejectsMedia }: { isSensitive: boolean; rejectsMedia: boolean }) => {
    const entity = statusBodyEntity(StatusBody.decode(view.body), urls, { rejectsMedia })
    return Buffer.from(JSON.stringify(isSensitive ? { ...entity, sensitive: true } : entity)).subarray(0, -1)
  }

  const account = (view: AccountView) => withMoved(accountItself(view), view.moved)

  return {
    account,
    credentials(given, role) {
      const { id = '', version = 0 } = given.account ?? {}
      const json = cached(`owner ${id} ${role}`, version, () => Buffer.from(JSON.stringify(credentialAccountEntity(given, role, urls))))
      return withMoved(json, given.account?.moved)
    },
    status(view, author) {
      const { isSensitized: isSensitive = false, rejectsMedia = false } = author
      const key = `${isSensitive ? 'sensitive ' : ''}${rejectsMedia ? 'rejected ' : ''}${view.id}`
      const { version } = view
      const authorVersion = versionOf(author)
      const known = statuses.get(key, (rendered) => rendered.version === version && rendered.author?.version === authorVersion)
      if (known) return known.json
      const newest = statuses.peek(key)
      const itself =
        newest?.version === version ? newest.json.subarray(0, newest.author?.start) : statusItself(view, { isSensitive, rejectsMedia })
      const json = ownBytes(Buffer.concat([itself, ACCOUNT_KEY, account(author)]))
      // A page read before an edit must not push out what was rendered after it.
      if (!newest || newest.version <= version)
        statuses.set(key, { version, json, author: { version: authorVersion, start: itself.length } })
      return json
    },
  }
}
