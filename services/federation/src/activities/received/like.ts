import { ownCall } from '../../own-call.ts'
import { localName } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'

/** A favourite of a local status; an emoji reaction counts as one. Favourites of remote statuses are counted by their servers. */
export const receiveLike =
  ({ baseUrl, statuses, acts }: ReceivedDeps): Receive =>
  async ({ activity, actor }) => {
    const statusId = localName(baseUrl, activity.object.uri)?.statusId
    if (!statusId || (await acts.isTakenBack(activity.id))) return
    const done = await orRefused(statuses.interactions.favourite(ownCall(), { viewerId: actor.accountId, statusId, withoutPage: true }))
    if (done && activity.id) await acts.keep({ uri: activity.id, kind: 'like', accountId: actor.accountId, subjectId: statusId })
  }
