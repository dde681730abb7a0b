/** A key shared by all replicas, which survives restarts. */
export type ProviderKeyTable = { name: string; value: string }
