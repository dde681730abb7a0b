import { type RemoteBoost, Visibility } from '@rookery/contracts/statuses'
import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName, visibilityOf } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

/**
 * What is boosted: the object, or what the activity in it made. A group announces the activities that its members send it (FEP-1b12): what they
 * write is boosted; what they change or delete is asked of its own server, and nothing else is done.
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

/** A boost, fetched from its own server when it is not known: what is boosted is never believed of who boosts it. */
export const receiveAnnounce = (deps: ReceivedDeps, receiveForwarded: Receive): Receive => {
  const statuses = createStatuses(deps)
  /** Not deleted before it came, and of those here who wrote what is boosted, or follow who boosts it. */
  const concerns = async (id: string, boosted: string, authorUri: string): Promise<boolean> => {
    if (await deps.acts.isDeleted(id)) return false
    if (localName(deps.baseUrl, boosted) !== undefined) return true
    const asked = { uri: '', authorUri, inReplyToUri: '', mentionedUris: [], tags: [], quotedUri: '' }
    return (await deps.statuses.remoteStatuses.concerns(ownCall(), asked)).concerns
  }
  const boost = async ({ activity, actor: signer, context, budget, withAccount }: Received, boosted: string): Promise<void> => {
    if (!(await concerns(activity.id, boosted, signer.uri))) return
    const reblogOfId = await statuses.find(boosted, budget)
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
    if (passedOn && passedOn.type !== 'Create') return receiveForwarded({ ...received, activity: passedOn })
    const boosted = boostedUri(activity)
    if (activity.id && isSameHost(activity.id, actor.uri) && boosted !== '') await boost(received, boosted)
  }
}
