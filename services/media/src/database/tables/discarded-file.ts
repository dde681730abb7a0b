/** A file that no record names any more and that is still to be deleted. */
export type DiscardedFileTable = { key: string; discardedAt: Date }
