import { isSameHost } from '../../host.rules.ts'
import { type Activity, type ActivityType, localName, readActivity } from '../../vocabulary/index.ts'
import type { Receive, ReceivedDeps } from './deps.ts'
import { fetchWithinBudget } from './fetch-document.ts'

const FAVOURITES = new Set<ActivityType>(['Like', 'EmojiReact'])

const favouritedUri = ({ type, object }: Activity): string => {
  if (FAVOURITES.has(type)) return object.uri
  return type === 'Undo' && object.activity && FAVOURITES.has(object.activity.type) ? object.activity.object.uri : ''
}

/** Whether a group passes on a favourite of a local status, or its Undo. */
export const isFavouriteHere = (baseUrl: string, activity: Activity): boolean =>
  localName(baseUrl, favouritedUri(activity))?.statusId !== undefined

/**
 * Handles a favourite, or its Undo, passed on by a group (Lemmy sends votes only to the group). The group is not trusted: the activity is
 * fetched from its actor's server.
 */
export const receivePassedOnFavourite = (deps: ReceivedDeps, done: Partial<Record<ActivityType, Receive>>): Receive => {
  const fetchDocument = fetchWithinBudget(deps)
  return async (received) => {
    const { id, actor: who } = received.activity
    if (!id || !isSameHost(id, who)) return
    const fetched = await fetchDocument(id, received.budget)
    const activity = fetched && readActivity(fetched.document)
    if (!activity || activity.id !== id || activity.actor !== who || !isSameHost(fetched.url, who)) return
    if (!isFavouriteHere(deps.baseUrl, activity)) return
    const actor = await deps.actors.byUri(who)
    if (actor?.accountId) await done[activity.type]?.({ ...received, activity, actor, withAccount: async () => actor })
  }
}
