import type { ConcernsRequest, StatusIdList } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { normaliseTag } from '@rookery/markup'
import type { StatusesTables } from '../../database/schema.ts'
import { localStatus, localUsername } from './local-uri.rules.ts'
import { REMOTE_LIMITS } from './remote-status.rules.ts'
import { type KnownStatus, readByUri, readInterest, readLocal } from './remote-status.store.ts'

type Deps = { database: Database<StatusesTables>; baseUrl: string }

/** Maximum number of uris per call. */
const MAX_URIS = 1000

/** Finds local and stored remote statuses by uri, regardless of who may see them. */
export const readByUris =
  ({ database, baseUrl }: Deps) =>
  async ({ uris }: { uris: readonly string[] }): Promise<StatusIdList> => {
    const asked = [...new Set(uris)].slice(0, MAX_URIS)
    const local = asked.flatMap((uri) => localStatus(uri, baseUrl) ?? [])
    const own = new Set(local.map(({ uri }) => uri))
    const remote = asked.filter((uri) => !own.has(uri))
    const [found, kept] = await Promise.all([
      local.length > 0
        ? readLocal(database, {
            ids: local.map(({ id }) => id),
            usernames: local.map(({ username }) => username),
            uris: local.map(({ uri }) => uri),
            areActs: local.map(({ isAct }) => isAct),
          })
        : ([] as KnownStatus[]),
      remote.length > 0 ? readByUri(database, { uris: remote }) : ([] as KnownStatus[]),
    ])
    return { statuses: [...found, ...kept] }
  }

/** Whether a remote status is stored here or relevant to a local account: one statement, without fetching anything. */
export const concernsAnyone =
  ({ database, baseUrl }: Deps) =>
  async ({ uri, authorUri, mentionedUris, inReplyToUri, tags, quotedUri }: ConcernsRequest): Promise<{ concerns: boolean }> => {
    const named = [inReplyToUri, quotedUri].flatMap((uri) => localStatus(uri, baseUrl) ?? [])
    const [row] = await readInterest(database, {
      uri,
      authorUri,
      mentionedUsernames: mentionedUris.flatMap((uri) => localUsername(uri, baseUrl) ?? []).slice(0, REMOTE_LIMITS.mentions),
      namedIds: named.map(({ id }) => id),
      tags: tags.slice(0, REMOTE_LIMITS.tags).flatMap((tag) => normaliseTag(tag) ?? []),
    })
    return { concerns: row?.concerns ?? false }
  }
