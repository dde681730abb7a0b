import { type Cache, ownBytes } from '@rookery/cache'
import type { RoleName } from '@rookery/contracts/permissions'
import { AccountBody, type AccountView, type Credentials, StatusBody, type StatusView } from '@rookery/contracts/statuses'
import { accountEntity } from './account.ts'
import type { Addresses } from './addresses.ts'
import { credentialAccountEntity } from './credential-account.ts'
import { statusBodyEntity } from './status.ts'

/** JSON of something of a version, in bytes of its own. */
export type Rendered = { readonly version: number; readonly json: Buffer }

/** JSON that is the same for every viewer, kept by (id, version). */
export type RenderedBodies = {
  account(view: AccountView): Buffer
  /** The account with what only its owner sees. */
  credentials(credentials: Credentials, role: RoleName): Buffer
  /** A status without its closing brace, so that the other keys can follow; the media as those of its author are shown. */
  status(view: StatusView, author: AccountView): Buffer
}

const MOVED_KEY = Buffer.from(',"moved":')
const CLOSE_OBJECT = Buffer.from('}')

export const createRenderedBodies = ({ urls, cache }: { urls: Addresses; cache: Cache<Rendered> }): RenderedBodies => {
  const cached = (key: string, version: number, render: () => Buffer) => {
    const known = cache.get(key, (rendered) => rendered.version === version)
    if (known) return known.json
    const json = ownBytes(render())
    // A page read before an edit must not push out what was rendered after it.
    const newest = cache.peek(key)
    if (!newest || newest.version < version) cache.set(key, { version, json })
    return json
  }

  const accountItself = (view: AccountView) =>
    cached(`account ${view.id}`, view.version, () => Buffer.from(JSON.stringify(accountEntity(AccountBody.decode(view.body), urls))))

  /** JSON of an account with that of where the person moved to, which has a version of its own. */
  const withMoved = (json: Buffer, moved: AccountView | undefined) =>
    moved ? Buffer.concat([json.subarray(0, -1), MOVED_KEY, accountItself(moved), CLOSE_OBJECT]) : json

  return {
    account: (view) => withMoved(accountItself(view), view.moved),
    credentials(given, role) {
      const { id = '', version = 0 } = given.account ?? {}
      const json = cached(`owner ${id} ${role}`, version, () => Buffer.from(JSON.stringify(credentialAccountEntity(given, role, urls))))
      return withMoved(json, given.account?.moved)
    },
    status: (view, { isSensitized: isSensitive = false, rejectsMedia = false }) =>
      cached(`${isSensitive ? 'sensitive ' : ''}${rejectsMedia ? 'rejected ' : ''}status ${view.id}`, view.version, () => {
        const entity = statusBodyEntity(StatusBody.decode(view.body), urls, { rejectsMedia })
        const json = Buffer.from(JSON.stringify(isSensitive ? { ...entity, sensitive: true } : entity))
        return json.subarray(0, -1)
      }),
  }
}
