/** What an activity did, by the id it has between servers. The account did it to the subject: an account or status; 0 of a deletion. */
export type ActTable = {
  uri: string
  kind: 'follow' | 'like' | 'block' | 'delete'
  accountId: string
  subjectId: string
  createdAt: Date
}
