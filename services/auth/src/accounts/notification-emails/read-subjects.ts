import type { NotificationReference } from '@rookery/contracts/events'
import { type GraphDefinition, StatusPage, type ViewsDefinition } from '@rookery/contracts/statuses'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { type Subject, subjectsOf } from './subject.rules.ts'

const CALL_SECONDS = 15

export type StatusesDeps = { statuses: { views: Client<ViewsDefinition>; graph: Client<GraphDefinition> } }

/** Reads the subjects of notifications as their recipient sees them now: one batch of each kind, concurrently. */
export const readSubjects = async (
  { statuses }: StatusesDeps,
  viewerId: string,
  references: readonly Pick<NotificationReference, 'type' | 'actorId' | 'statusId'>[],
): Promise<Subject[]> => {
  const call = callWithin(CALL_SECONDS, `mail-${viewerId}`)
  const accountIds = [...new Set(references.map(({ actorId }) => actorId))]
  const ids = [...new Set(references.flatMap(({ statusId }) => statusId || []))]
  const [accounts, page, relationships] = await Promise.all([
    statuses.views.readAccounts(call, { ids: accountIds }),
    ids.length > 0 ? statuses.views.readStatuses(call, { ids, viewerId }) : StatusPage.fromPartial({}),
    statuses.graph.readRelationships(call, { viewerId, accountIds }),
  ])
  return subjectsOf(references, { accounts, statuses: page, relationships })
}
