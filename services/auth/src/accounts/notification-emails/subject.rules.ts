import type { NotificationReference } from '@rookery/contracts/events'
import { AccountBody, type AccountPage, type RelationshipList, type StatusPage } from '@rookery/contracts/statuses'
import { excerptOf } from '@rookery/entities'

/** What statuses knows of what notifications are about, as their recipient sees it. */
export type Hydrated = { readonly accounts: AccountPage; readonly statuses: StatusPage; readonly relationships: RelationshipList }

/** What a mail says of a notification. */
export type Subject = {
  readonly type: string
  readonly displayName: string
  readonly username: string
  readonly statusId: string
  /** What the status says; empty where it is about none. */
  readonly excerpt: string
}

type Reference = Pick<NotificationReference, 'type' | 'actorId' | 'statusId'>
type Relationship = RelationshipList['relationships'][number]

/** Whether what a notification says still holds, and nothing stands between the two. */
const stands = (type: string, relation: Relationship): boolean => {
  if (relation.blocking || relation.blockedBy || relation.mutingNotifications) return false
  if (type === 'follow') return relation.followedBy
  return type !== 'follow_request' || relation.requestedBy
}

/**
 * The parts of these notifications that their recipient may still be mailed: nothing about hidden people and posts, or about acts undone
 * meanwhile.
 */
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
