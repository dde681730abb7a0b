/**
 * The effect of an activity, by its id between servers. The account acted on the subject, an account or status; the subject of a deletion
 * is 0.
 */
export type ActTable = {
  uri: string
  kind: 'follow' | 'like' | 'block' | 'delete'
  accountId: string
  subjectId: string
  createdAt: Date
}
