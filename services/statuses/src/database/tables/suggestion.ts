import type { Generated } from 'kysely'

export type StaffPickTable = { id: Generated<string>; account_id: string; created_at: Date }

export type SuggestionDismissalTable = { account_id: string; target_id: string }
