import { Visibility } from '@rookery/contracts/statuses'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName, visibilityOf } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

/**
 * What is boosted: the object, or what the activity in it made. A group announces the activities that its members send it (FEP-1b12): only
 * what they write is boosted.
 */
export const boostedUri = ({ object }: Activity): string => {
  if (!object.activity) return object.uri
  return object.activity.type === 'Create' ? object.activity.object.uri : ''
}

/** A boost, fetched from its own server when it is not known: what is boosted is never believed of who boosts it. */
export const receiveAnnounce = (deps: ReceivedDeps): Receive => {
  const statuses = createStatuses(deps)
  const { remoteStatuses } = deps.statuses
  return async ({ activity, actor: signer, context, budget, withAccount }) => {
    const boosted = boostedUri(activity)
    if (!activity.id || !isSameHost(activity.id, signer.uri) || boosted === '') return
    if ((await deps.acts.byUri(activity.id))?.kind === 'delete') return
    const isOfHere = localName(deps.baseUrl, boosted) !== undefined
    const asked = { authorUri: signer.uri, inReplyToUri: isOfHere ? boosted : '', mentionedUris: [], tags: [], quotedUri: '' }
    if (!isOfHere && !(await remoteStatuses.concerns(ownCall(), asked)).concerns) return
    const reblogOfId = await statuses.find(boosted, budget)
    const actor = reblogOfId ? await withAccount() : undefined
    if (!actor?.accountId) return
    const visibility = visibilityOf(activity.recipients, actor.followersUri)
    const boost = {
      uri: activity.id,
      authorId: actor.accountId,
      reblogOfId,
      visibility: visibility === Visibility.DIRECT ? Visibility.PRIVATE : visibility,
      publishedAtMilliseconds: Math.min(activity.publishedAt ?? context.receivedAt.getTime(), deps.clock.now()),
    }
    await orRefused(remoteStatuses.storeBoost(ownCall(), boost))
  }
}
