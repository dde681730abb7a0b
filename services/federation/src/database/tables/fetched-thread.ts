/** A status of another server whose replies were fetched, and when. */
export type FetchedThreadTable = { uri: string; fetchedAt: Date }
