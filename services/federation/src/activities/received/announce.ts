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
 * What is boosted: the object, or what the activity in it made. A group announces the activities that its members send it (FEP-1b12): what they
 * write is boosted; what they change, delete or favourite is asked of its own server, and nothing else is done.
 */
export const boostedUri = ({ object }: Activity): string => {
  if (!object.activity) return object.uri
  return object.activity.type === 'Create' ? object.activity.object.uri : ''
}

/** For whom a boost is: a direct one is for the followers of who boosts, as there is no boost for those alone whom it names. */
const visibilityOfBoost = ({ recipients }: Activity, { followersUri }: RemoteActor): Visibility => {
  const visibility = visibilityOf(recipients, followersUri)
  return visibility === Visibility.DIRECT ? Visibility.PRIVATE : visibility
}

/** A boost. What is boosted is fetched from its own server when it is not known, and believed of who boosts it when they wrote it. */
export const receiveAnnounce = (deps: ReceivedDeps, passed: { on: Receive; onFavourite: Receive }): Receive => {
  const statuses = createStatuses(deps)
  /** Not deleted before it came, and of those here who wrote what is boosted, or follow who boosts it. */
  const concerns = async (id: string, boosted: string, authorUri: string): Promise<boolean> => {
    if (await deps.acts.isDeleted(id)) return false
    if (localName(deps.baseUrl, boosted) !== undefined) return true
    const asked = { uri: '', authorUri, inReplyToUri: '', mentionedUris: [], tags: [], quotedUri: '' }
    return (await deps.statuses.remoteStatuses.concerns(ownCall(), asked)).concerns
  }
  /** What someone boosts of their own, as they send it along: a status for followers cannot be fetched. */
  const keepOwn = async ({ activity, actor, budget, withAccount }: Received): Promise<string> => {
    const object = readObject(activity.object.document)
    if (!object || !isBy(object, actor.uri) || (await deps.acts.isDeleted(object.uri))) return ''
    const author = await withAccount()
    return author?.accountId ? statuses.keep(object, author, { budget, isFetched: true }) : ''
  }
  const boost = async (received: Received, boosted: string): Promise<void> => {
    const { activity, actor: signer, context, budget, withAccount } = received
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
