import type { Generated } from 'kysely'

export type ConversationTable = {
  id: Generated<string>
  owner_id: string
  thread_id: string
  participants: string[]
  last_status_id: string
  is_unread: boolean
  is_hidden: Generated<boolean>
}

export type ConversationStatusTable = { conversation_id: string; status_id: string }
