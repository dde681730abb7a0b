/** A key that every replica uses and no restart changes. */
export type ProviderKeyTable = { name: string; value: string }
