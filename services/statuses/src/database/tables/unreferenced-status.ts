/** A status of another server that nothing on this server referred to when it was last looked at. */
export type UnreferencedStatusTable = { statusId: string; foundAt: Date }

/** How far the search for unreferenced statuses is: one row. */
export type UnreferencedSearchTable = { isOnly: boolean; afterId: string }
