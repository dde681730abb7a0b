import type { Relationship } from '@rookery/contracts/statuses'

/** Relationship (spec, Resources; beyond-the-spec 1.1). */
export const relationshipEntity = (relationship: Relationship) => ({
  id: relationship.id,
  following: relationship.following,
  showing_reblogs: relationship.showingReblogs,
  notifying: relationship.notifying,
  languages: relationship.languages.length > 0 ? relationship.languages : null,
  followed_by: relationship.followedBy,
  blocking: relationship.blocking,
  blocked_by: relationship.blockedBy,
  muting: relationship.muting,
  muting_notifications: relationship.mutingNotifications,
  requested: relationship.requested,
  requested_by: relationship.requestedBy,
  domain_blocking: relationship.domainBlocking,
  endorsed: relationship.endorsed,
  note: relationship.note,
})

/** Whether a recipient with this relationship to an account is shown notifications of its acts (beyond-the-spec 1.14). */
export const mayBeNotified = ({
  blocking,
  blockedBy,
  domainBlocking,
  mutingNotifications,
}: Pick<Relationship, 'blocking' | 'blockedBy' | 'domainBlocking' | 'mutingNotifications'>): boolean =>
  !(blocking || blockedBy || domainBlocking || mutingNotifications)
