/** What becomes of an account's notifications by what their sender is to it: accept, filter or drop. */
export type NotificationPolicyTable = {
  accountId: string
  forNotFollowing: string
  forNotFollowers: string
  forNewAccounts: string
  forPrivateMentions: string
  forLimitedAccounts: string
}
