import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { readActor } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/**
 * Receives a Move: the followers of the old account follow the new one. Both accounts must confirm it: the old one by its signature and a `movedTo`
 * that is absent (as in snac) or names the new account, the new one by naming the old one in `alsoKnownAs`.
 */
export const receiveMove = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps)

  const read = async (uri: string, { budget }: Received) => {
    budget.fetches--
    const { document, url } = await deps.fetchDocument(uri, { signal: budget.signal })
    const actor = readActor(document)
    return actor?.uri === uri && isSameHost(url, uri) ? actor : undefined
  }
  const targetOf = async (received: Received): Promise<string | undefined> => {
    const { activity, actor } = received
    const local = await localPerson(people, activity.target)
    if (local) return local.alsoKnownAs.includes(actor.uri) ? local.id : undefined
    const target = await read(activity.target, received)
    if (!target?.profile.alsoKnownAs.includes(actor.uri)) return undefined
    return (await deps.actors.byUri(target.uri, { isFresh: true }))?.accountId
  }

  return async (received) => {
    const { activity, actor } = received
    if (activity.object.uri !== actor.uri || activity.target === '' || activity.target === actor.uri) return
    const old = await read(actor.uri, received)
    if (!old || (old.profile.movedTo && old.profile.movedTo !== activity.target)) return
    const targetId = await targetOf(received)
    if (!targetId) return
    await deps.actors.byUri(actor.uri, { isFresh: true })
    await orRefused(deps.statuses.remoteAccounts.move(ownCall(), { accountId: actor.accountId, targetId }))
  }
}
