import { ownCall } from '../../own-call.ts'
import { localName } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'

/** A favourite of a status of this server; a reaction with an emoji is one too. Those of statuses elsewhere are counted elsewhere. */
export const receiveLike =
  ({ baseUrl, statuses, acts }: ReceivedDeps): Receive =>
  async ({ activity, actor }) => {
    const statusId = localName(baseUrl, activity.object.uri)?.statusId
    if (!statusId || (await acts.isTakenBack(activity.id))) return
    const done = await orRefused(statuses.interactions.favourite(ownCall(), { viewerId: actor.accountId, statusId, withoutPage: true }))
    if (done && activity.id) await acts.keep({ uri: activity.id, kind: 'like', accountId: actor.accountId, subjectId: statusId })
  }
