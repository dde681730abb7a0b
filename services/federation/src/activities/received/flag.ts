import { ownCall } from '../../own-call.ts'
import { localName } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { localPeople } from './local-people.ts'

/** Maximum reported accounts in one Flag; each gets a report of its own. */
const MAX_REPORTED = 5
const MAX_COMMENT = 1000

/** Files a report forwarded by another server about local accounts and their statuses, unless staff reject reports of that server. */
export const receiveFlag = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps)
  const { remoteStatuses, reports } = deps.statuses
  return async ({ activity, actor }) => {
    if (await deps.rejectsReports(actor.domain)) return
    const named = activity.objects.flatMap((uri) => localName(deps.baseUrl, uri) ?? [])
    const uris = activity.objects.filter((uri) => localName(deps.baseUrl, uri)?.statusId)
    const statuses = uris.length > 0 ? (await remoteStatuses.readByUris(ownCall(), { uris: [...uris] })).statuses : []
    const here = await people(named.map(({ username }) => deps.at.actor(username)))
    const isBoth = new Set(statuses.map(({ authorId }) => authorId))
    const reported = [...here.values()].slice(0, MAX_REPORTED)
    for (const { id } of reported) {
      const statusIds = isBoth.has(id) ? statuses.filter(({ authorId }) => authorId === id).map((status) => status.id) : []
      const comment = activity.content.slice(0, MAX_COMMENT)
      const report = { viewerId: actor.accountId, accountId: id, statusIds, comment, category: 'other', senderDomain: actor.domain }
      await orRefused(reports.file(ownCall(), report))
    }
  }
}
