import { transact } from '@rookery/database'
import { ownCall } from '../../own-call.ts'
import { acceptOf, rejectOf } from '../sent/answer-follow.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/**
 * Someone elsewhere follows, or asks to follow, someone here. The answer follows from what becomes of it: of a follow that begins from its
 * event, here only where it was there before (the other server lost it), or may not be.
 */
export const receiveFollow = (deps: ReceivedDeps): Receive => {
  const { statuses, acts, database, at } = deps
  const people = localPeople(deps)
  return async ({ activity, actor }) => {
    const target = await localPerson(people, activity.object.uri)
    if (!target || !activity.id) return
    const pair = { viewerId: actor.accountId, accountId: target.id }
    const before = (await statuses.graph.readRelationships(ownCall(), { viewerId: actor.accountId, accountIds: [target.id] }))
      .relationships[0]
    await acts.keep({ uri: activity.id, kind: 'follow', accountId: actor.accountId, subjectId: target.id })
    const followed = await orRefused(statuses.graph.follow(ownCall(), pair))
    const follow = { uri: activity.id, actor: actor.uri, target: at.actor(target.username) }
    if (followed && !before?.following) return
    const answer = followed ? acceptOf(follow, at) : rejectOf(follow, at)
    await transact(database.db, (tx) => deps.deliver(tx, { ...answer, senderId: target.id, accountIds: [actor.accountId] }))
  }
}
