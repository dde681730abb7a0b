import { ownCall } from '../../own-call.ts'
import type { Activity } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/** Whether it shuts someone out of a group or a server (Lemmy's bans, by a moderator), which is between those two. */
export const isBan = ({ type, target }: Activity): boolean => type === 'Block' && target !== ''

/** Someone elsewhere blocks someone here, as anyone would. */
export const receiveBlock = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps)
  return async ({ activity, actor }) => {
    const target = isBan(activity) ? undefined : await localPerson(people, activity.object.uri)
    if (!target || (await deps.acts.isTakenBack(activity.id))) return
    const done = await orRefused(deps.statuses.graph.block(ownCall(), { viewerId: actor.accountId, accountId: target.id }))
    if (done && activity.id) await deps.acts.keep({ uri: activity.id, kind: 'block', accountId: actor.accountId, subjectId: target.id })
  }
}
