/** A status of another server that staff deleted here, by its uri: it is not kept again. */
export type RemovedUriTable = { uri: string; createdAt: Date }
