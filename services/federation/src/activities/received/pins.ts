import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type CollectionItem, isOfType, itemsIn, readCollection } from '../../vocabulary/index.ts'
import { type Budget, orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

/** Maximum pinned statuses of one account; statuses stores no more. */
const MAX_PINS = 5

/** Reads the whole collection of a remote account's pinned statuses, because Add and Remove arrive in any order. */
export const refreshPins = (deps: ReceivedDeps) => {
  const statuses = createStatuses(deps)
  /** The local id of a pinned status, stored as embedded or fetched. */
  const keepPinned = async ({ uri, document }: CollectionItem, budget: Budget): Promise<string> => {
    const id = await statuses.known(uri)
    if (id) return id
    return document ? statuses.keepFound({ document, url: uri }, budget) : statuses.find(uri, budget)
  }
  return async (actor: RemoteActor, budget: Budget): Promise<void> => {
    if (!actor.featuredUri || !isSameHost(actor.featuredUri, actor.uri)) return
    budget.fetches--
    const { document } = await deps.fetchDocument(actor.featuredUri, { signal: budget.signal })
    const collection = readCollection(document)
    if (!collection) return
    const pinned = itemsIn(collection).filter(({ uri }) => isSameHost(uri, actor.uri))
    const ids: string[] = []
    for (const item of pinned.slice(0, MAX_PINS)) {
      const id = await keepPinned(item, budget)
      if (id) ids.push(id)
    }
    await orRefused(deps.statuses.remoteStatuses.storePins(ownCall(), { accountId: actor.accountId, statusIds: ids }))
  }
}

/** A status was pinned or unpinned; or a tag was featured, which Mastodon sends with the same target: tags are read with the profile. */
export const receivePins = (deps: ReceivedDeps): Receive => {
  const refresh = refreshPins(deps)
  return async ({ activity, actor, budget }) => {
    if (activity.target === '' || activity.target !== actor.featuredUri) return
    const { document } = activity.object
    if (document && isOfType(document, 'Hashtag')) await deps.actors.byUri(actor.uri, { isFresh: true })
    else await refresh(actor, budget)
  }
}
