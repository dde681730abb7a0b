/** A file to be deleted, which no record names any more. */
export type DiscardedFileTable = { key: string; discardedAt: Date }
