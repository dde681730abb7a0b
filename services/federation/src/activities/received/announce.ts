import { type RemoteBoost, Visibility } from '@rookery/contracts/statuses'
import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName, readObject, visibilityOf } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { isFavouriteHere } from './passed-on-favourite.ts'
import { isBy } from './status.rules.ts'

/**
 * The uri of the boosted status: the object, or the object of an embedded Create. A group announces activities of its members (FEP-1b12).
 * What they create is boosted; for other activities the object is fetched from its own server.
 */
export const boostedUri = ({ object }: Activity): string => {
  if (!object.activity) return object.uri
  return object.activity.type === 'Create' ? object.activity.object.uri : ''
}

/** The visibility of a boost. A direct boost becomes followers-only: there are no boosts for mentioned accounts only. */
const visibilityOfBoost = ({ recipients }: Activity, { followersUri }: RemoteActor): Visibility => {
  const visibility = visibilityOf(recipients, followersUri)
  return visibility === Visibility.DIRECT ? Visibility.PRIVATE : visibility
}

/**
 * Handles a boost. An unknown status is fetched from its own server, unless the sender wrote it and embeds it. What a relay boosts is stored
 * without the boost.
 */
export const receiveAnnounce = (deps: ReceivedDeps, passed: { on: Receive; onFavourite: Receive }): Receive => {
  const statuses = createStatuses(deps)
  /** Whether a boost was not deleted before it arrived, and is of a local status or by an account followed here. */
  const concerns = async (id: string, boosted: string, authorUri: string): Promise<boolean> => {
    if (await deps.acts.isDeleted(id)) return false
    if (localName(deps.baseUrl, boosted) !== undefined) return true
    const asked = { uri: '', authorUri, inReplyToUri: '', mentionedUris: [], tags: [], quotedUri: '' }
    return (await deps.statuses.remoteStatuses.concerns(ownCall(), asked)).concerns
  }
  /** Stores an embedded status of the sender's own: a followers-only status cannot be fetched. */
  const keepOwn = async ({ activity, actor, budget, withAccount }: Received): Promise<string> => {
    const object = readObject(activity.object.document)
    if (!object || !isBy(object, actor.uri) || (await deps.acts.isDeleted(object.uri))) return ''
    const author = await withAccount()
    return author?.accountId ? statuses.keep(object, author, { budget, isFetched: true }) : ''
  }
  const boost = async (received: Received, boosted: string): Promise<void> => {
    const { activity, actor: signer, context, budget, withAccount } = received
    if (await deps.relays.isRelay(signer)) return statuses.keepRelayed(boosted, budget)
    if (!(await concerns(activity.id, boosted, signer.uri))) return
    const reblogOfId = (await keepOwn(received)) || (await statuses.find(boosted, budget))
    const actor = reblogOfId ? await withAccount() : undefined
    if (!actor?.accountId) return
    const published = activity.publishedAt ?? context.receivedAt.getTime()
    const kept: RemoteBoost = {
      uri: activity.id,
      authorId: actor.accountId,
      reblogOfId,
      visibility: visibilityOfBoost(activity, actor),
      publishedAtMilliseconds: Math.min(published, deps.clock.now()),
    }
    await orRefused(deps.statuses.remoteStatuses.storeBoost(ownCall(), kept))
  }
  return async (received) => {
    const { activity, actor } = received
    const passedOn = activity.object.activity
    if (passedOn && passedOn.type !== 'Create') {
      const receive = isFavouriteHere(deps.baseUrl, passedOn) ? passed.onFavourite : passed.on
      return receive({ ...received, activity: passedOn })
    }
    const boosted = boostedUri(activity)
    if (activity.id && isSameHost(activity.id, actor.uri) && boosted !== '') await boost(received, boosted)
  }
}
