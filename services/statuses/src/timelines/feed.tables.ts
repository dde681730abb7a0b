/** One status in one person's home. */
export type FeedTable = { account_id: string; status_id: string; reblog_of_id: string | null }
