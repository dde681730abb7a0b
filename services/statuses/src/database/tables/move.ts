/** account_id says that alias_id is, or was, the same person. */
export type AccountAliasTable = { accountId: string; aliasId: string }
