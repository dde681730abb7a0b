import { Visibility } from '@rookery/contracts/statuses'
import type { RemoteActor } from '../../contract.ts'
import { type ObjectDocument, visibilityOf } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'
import { type LocalPeople, localPeople } from './local-people.ts'

/** Maximum unknown accounts looked up for one status; further ones are not mentioned. */
const MAX_UNKNOWN = 10

/** Finds the ids of the accounts that an object mentions. */
type FindMentioned = (object: ObjectDocument, author: RemoteActor, budget: Budget) => Promise<readonly string[]>

/**
 * The uris that an object mentions. Tagged accounts are mentioned even if they are not recipients, as on Mastodon. Recipients without a tag
 * are not mentioned, except by a direct status without tags, which would otherwise be for no one (Lemmy, Pleroma's chats).
 */
export const mentionedUris = (object: ObjectDocument, followersUri: string): readonly string[] => {
  const tagged = object.mentions.map(({ uri }) => uri)
  const { to, cc } = object.recipients
  const isDirect = visibilityOf(object.recipients, followersUri) === Visibility.DIRECT
  return tagged.length === 0 && isDirect ? [...new Set([...to, ...cc])] : tagged
}

const known = async ({ actors }: ReceivedDeps, uris: readonly string[]): Promise<Map<string, string>> => {
  const found = await actors.knownByUris(uris)
  return new Map(found.filter(({ accountId }) => accountId !== '').map(({ uri, accountId }) => [uri, accountId]))
}

const looked = async (deps: ReceivedDeps, uris: readonly string[], budget: Budget): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  for (const uri of uris.slice(0, MAX_UNKNOWN)) {
    if (budget.fetches <= 0 || budget.signal.aborted) break
    budget.fetches--
    const actor = await deps.actors.byUri(uri)
    if (actor?.accountId) found.set(uri, actor.accountId)
  }
  return found
}

export const findMentioned = (deps: ReceivedDeps): FindMentioned => {
  const local: LocalPeople = localPeople(deps, { withSuspended: true })
  return async (object, author, budget) => {
    const uris = mentionedUris(object, author.followersUri).slice(0, 100)
    const here = await local(uris)
    const elsewhere = uris.filter((uri) => !here.has(uri) && !uri.startsWith(`${deps.baseUrl}/`))
    const there = await known(deps, elsewhere)
    const unknown = await looked(
      deps,
      elsewhere.filter((uri) => !there.has(uri)),
      budget,
    )
    const ids = uris.flatMap((uri) => here.get(uri)?.id ?? there.get(uri) ?? unknown.get(uri) ?? [])
    return [...new Set(ids)]
  }
}
