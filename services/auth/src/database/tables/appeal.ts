/** What someone says against an act of staff on their account. */
export type AppealTable = {
  actId: string
  accountId: string
  text: string
  state: 'pending' | 'approved' | 'rejected'
  createdAt: Date
  decidedAt: Date | null
}
