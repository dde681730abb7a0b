import type { Relation } from '@rookery/contracts/events'
import { invalid } from '@rookery/failures'

/** The choices of a policy (beyond-the-spec 1.1, NotificationPolicy), the strictest last. */
const CHOICES = ['accept', 'filter', 'drop'] as const
type Choice = (typeof CHOICES)[number]

/** A policy: a choice for each kind of sender. */
export type Policy = {
  readonly forNotFollowing: Choice
  readonly forNotFollowers: Choice
  readonly forNewAccounts: Choice
  readonly forPrivateMentions: Choice
  readonly forLimitedAccounts: Choice
}

/** A test that a notification fails. */
export type PolicyReason = keyof Policy

/** The default policy (beyond-the-spec 1.1). */
export const DEFAULT_POLICY: Policy = {
  forNotFollowing: 'accept',
  forNotFollowers: 'accept',
  forNewAccounts: 'accept',
  forPrivateMentions: 'filter',
  forLimitedAccounts: 'filter',
}

const FILTERABLE: ReadonlySet<string> = new Set(['mention', 'reblog', 'favourite', 'quote', 'follow', 'follow_request'])
const NEW_ACCOUNT_MILLISECONDS = 30 * 24 * 3600 * 1000
/** How long a follower counts as new. */
const NEW_FOLLOWER_MILLISECONDS = 3 * 24 * 3600 * 1000

/**
 * The tests of a policy that a notification fails (beyond-the-spec 1.14): for filterable types, and not for mentions by staff. The last
 * three apply only to senders whom the recipient does not follow.
 */
export const reasonsOf = (type: string, relation: Relation | undefined, occurredAt: number): PolicyReason[] => {
  if (!relation || !FILTERABLE.has(type) || (type === 'mention' && relation.isActorStaff)) return []
  const isMention = type === 'mention'
  const reasons: [PolicyReason, boolean][] = [
    ['forNotFollowing', true],
    ['forNewAccounts', occurredAt - relation.actorCreatedAtMilliseconds < NEW_ACCOUNT_MILLISECONDS],
    ['forPrivateMentions', isMention && relation.isPrivateMention && !relation.isReplyToRecipient],
    ['forLimitedAccounts', relation.isActorLimited],
  ]
  const ofStrangers = relation.recipientFollowsActor ? [] : reasons.flatMap(([reason, applies]) => (applies ? [reason] : []))
  const isFollower = relation.actorFollowsRecipient && occurredAt - relation.actorFollowsSinceMilliseconds >= NEW_FOLLOWER_MILLISECONDS
  return isFollower ? ofStrangers : ['forNotFollowers', ...ofStrangers]
}

/** The choice for a notification that fails these tests: the strictest of the policy's. */
export const choiceOf = (policy: Policy, reasons: readonly PolicyReason[]): Choice =>
  CHOICES.findLast((choice) => reasons.some((reason) => policy[reason] === choice)) ?? 'accept'

const LABELS: Readonly<Record<PolicyReason, string>> = {
  forNotFollowing: 'For not following',
  forNotFollowers: 'For not followers',
  forNewAccounts: 'For new accounts',
  forPrivateMentions: 'For private mentions',
  forLimitedAccounts: 'For limited accounts',
}

/** @throws Failure invalid naming every field that is neither accept, filter nor drop */
export const refuseUnknownChoices = (changes: { readonly [Reason in PolicyReason]?: string | undefined }): void => {
  const isKnown = (choice: string | undefined) => choice === undefined || CHOICES.some((each) => each === choice)
  const faults = (Object.keys(LABELS) as PolicyReason[]).filter((reason) => !isKnown(changes[reason]))
  if (faults.length > 0) throw invalid(...faults.map((reason) => `${LABELS[reason]} is not included in the list`))
}
