import type { Generated } from 'kysely'

export type StaffPickTable = { id: Generated<string>; accountId: string; createdAt: Date }

export type SuggestionDismissalTable = { accountId: string; targetId: string }
