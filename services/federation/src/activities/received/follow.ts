import { transact } from '@rookery/database'
import { ownCall } from '../../own-call.ts'
import type { Payload } from '../../vocabulary/index.ts'
import { acceptOf, rejectOf } from '../sent/answer-follow.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/**
 * A remote account follows, or requests to follow, a local one. A new follow is accepted by its event; here only a repeated one is (the
 * other server lost our answer), and a refused one is rejected, such as one of an account that staff suspended.
 */
export const receiveFollow = (deps: ReceivedDeps): Receive => {
  const { statuses, acts, database, at } = deps
  const people = localPeople(deps, { withSuspended: true })
  const sends = (senderId: string, answer: Payload, accountId: string) =>
    transact(database.db, (tx) => deps.deliver(tx, { ...answer, senderId, accountIds: [accountId] }))
  const before = async (viewerId: string, accountId: string) =>
    (await statuses.graph.readRelationships(ownCall(), { viewerId, accountIds: [accountId], withSuspended: true })).relationships[0]
  return async ({ activity, actor }) => {
    // The instance actor posts nothing, so it cannot be followed.
    if (activity.object.uri === at.instanceActor && activity.id) {
      return sends('', rejectOf({ uri: activity.id, actor: actor.uri, target: at.instanceActor }), actor.accountId)
    }
    const target = await localPerson(people, activity.object.uri)
    if (!target || !activity.id || (await acts.isTakenBack(activity.id))) return
    const pair = { viewerId: actor.accountId, accountId: target.id }
    const known = await before(pair.viewerId, pair.accountId)
    await acts.keep({ uri: activity.id, kind: 'follow', accountId: actor.accountId, subjectId: target.id })
    const follow = { uri: activity.id, actor: actor.uri, target: at.actor(target.username) }
    if (known?.following) return sends(target.id, acceptOf(follow), actor.accountId)
    if (known?.requested || (await orRefused(statuses.graph.follow(ownCall(), pair)))) return
    await sends(target.id, rejectOf(follow), actor.accountId)
  }
}
