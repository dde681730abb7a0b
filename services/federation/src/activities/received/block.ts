import { ownCall } from '../../own-call.ts'
import type { Activity } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/** Whether a block is a moderator's ban from a group or server (Lemmy), which does not concern us. */
export const isBan = ({ type, target }: Activity): boolean => type === 'Block' && target !== ''

/** A remote account blocks a local one. */
export const receiveBlock = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps, { withSuspended: true })
  return async ({ activity, actor }) => {
    const target = isBan(activity) ? undefined : await localPerson(people, activity.object.uri)
    if (!target || (await deps.acts.isTakenBack(activity.id))) return
    const done = await orRefused(deps.statuses.graph.block(ownCall(), { viewerId: actor.accountId, accountId: target.id }))
    if (done && activity.id) await deps.acts.keep({ uri: activity.id, kind: 'block', accountId: actor.accountId, subjectId: target.id })
  }
}
