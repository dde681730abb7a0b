/** account_id declares that alias_id belongs, or belonged, to the same person. */
export type AccountAliasTable = { accountId: string; aliasId: string }
