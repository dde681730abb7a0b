import { ownCall } from '../../own-call.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/** Someone elsewhere blocks someone here, as anyone would. */
export const receiveBlock = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps)
  return async ({ activity, actor }) => {
    const target = await localPerson(people, activity.object.uri)
    if (!target) return
    const done = await orRefused(deps.statuses.graph.block(ownCall(), { viewerId: actor.accountId, accountId: target.id }))
    if (done && activity.id) await deps.acts.keep({ uri: activity.id, kind: 'block', accountId: actor.accountId, subjectId: target.id })
  }
}
