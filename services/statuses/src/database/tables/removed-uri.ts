/** The uri of a remote status that staff deleted here, so that it is not stored again. */
export type RemovedUriTable = { uri: string; createdAt: Date }
