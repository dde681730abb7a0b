/** A recipient's policy by relation to the sender: accept, filter or drop. */
export type NotificationPolicyTable = {
  accountId: string
  forNotFollowing: string
  forNotFollowers: string
  forNewAccounts: string
  forPrivateMentions: string
  forLimitedAccounts: string
}
