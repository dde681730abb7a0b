/** A status of another server that answers one which did not arrive yet: that one's uri. */
export type AwaitedParentTable = { statusId: string; uri: string; createdAt: Date }
