import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { readCollection } from '../../vocabulary/index.ts'
import { type Budget, orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

/** Statuses that one person shows on top; statuses keeps no more. */
const MAX_PINS = 5

/** Reads what someone elsewhere shows on top of their profile, whole: Add and Remove come in any order. */
export const refreshPins = (deps: ReceivedDeps) => {
  const statuses = createStatuses(deps)
  return async (actor: RemoteActor, budget: Budget): Promise<void> => {
    if (!actor.featuredUri || !isSameHost(actor.featuredUri, actor.uri)) return
    budget.fetches--
    const { document } = await deps.fetchDocument(actor.featuredUri, { signal: budget.signal })
    const collection = readCollection(document)
    if (!collection) return
    const items = [...collection.items, ...(collection.firstPage?.items ?? [])]
      .filter(({ uri }) => isSameHost(uri, actor.uri))
      .slice(0, MAX_PINS)
    const ids: string[] = []
    for (const item of items) {
      const id =
        (await statuses.known(item.uri)) ||
        (item.document ? await statuses.keepFetched(item.document, item.uri, budget) : await statuses.find(item.uri, budget))
      if (id) ids.push(id)
    }
    await orRefused(deps.statuses.remoteStatuses.storePins(ownCall(), { accountId: actor.accountId, statusIds: ids }))
  }
}

/** A status was pinned, or is no longer. */
export const receivePins = (deps: ReceivedDeps): Receive => {
  const refresh = refreshPins(deps)
  return async ({ activity, actor, budget }) => {
    if (activity.target !== '' && activity.target === actor.featuredUri) await refresh(actor, budget)
  }
}
