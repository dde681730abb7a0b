/** A remote status whose replies were fetched, and when. */
export type FetchedThreadTable = { uri: string; fetchedAt: Date }
