import type { NotificationReference } from '@rookery/contracts/events'
import { AccountBody, type AccountPage, type RelationshipList, type StatusPage } from '@rookery/contracts/statuses'
import { excerptOf, mayBeNotified } from '@rookery/entities'

/** The data of notifications, as their recipient sees it. */
export type Hydrated = { readonly accounts: AccountPage; readonly statuses: StatusPage; readonly relationships: RelationshipList }

/** The content of a mail about a notification. */
export type Subject = {
  readonly type: string
  readonly displayName: string
  readonly username: string
  readonly statusId: string
  /** The start of the status's text; empty without a status. */
  readonly excerpt: string
}

type Reference = Pick<NotificationReference, 'type' | 'actorId' | 'statusId'>
type Relationship = RelationshipList['relationships'][number]

/** Whether a notification is still true and wanted: no block or mute has come between, and the follow or the request is still there. */
const stands = (type: string, relation: Relationship): boolean => {
  if (!mayBeNotified(relation)) return false
  if (type === 'follow') return relation.followedBy
  return type !== 'follow_request' || relation.requestedBy
}

/** The content of the notifications that may still be mailed: not those of hidden accounts and statuses, or of acts undone meanwhile. */
export const subjectsOf = (references: readonly Reference[], { accounts, statuses, relationships }: Hydrated): Subject[] => {
  const people = new Map(accounts.accounts.map(({ id, body }) => [id, AccountBody.decode(body)]))
  const relations = new Map(relationships.relationships.map((relation) => [relation.id, relation]))
  return references.flatMap(({ type, actorId, statusId }): Subject[] => {
    const [person, relation] = [people.get(actorId), relations.get(actorId)]
    const excerpt = statusId ? excerptOf(statuses, statusId) : ''
    if (!person || person.isSuspended || !relation || !stands(type, relation) || excerpt === undefined) return []
    const { displayName, username } = person
    return [{ type, displayName: displayName || username, username, statusId, excerpt }]
  })
}
