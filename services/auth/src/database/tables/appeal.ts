/** An account's appeal against an act of staff. */
export type AppealTable = {
  actId: string
  accountId: string
  text: string
  state: 'pending' | 'approved' | 'rejected'
  createdAt: Date
  decidedAt: Date | null
}
