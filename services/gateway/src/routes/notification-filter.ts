import type { z } from 'zod'
import { flag, type form, id, textList } from '../http/fields.ts'

/** The contract's notification types (spec, Notification types); others named by a client are dropped. */
const TYPES = new Set([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'quoted_update',
  'poll',
  'update',
  'admin.sign_up',
  'admin.report',
  'moderation_warning',
  'severed_relationships',
])

/** What lists of notifications may be narrowed by. */
export const notificationFilter = { types: textList(), exclude_types: textList(), account_id: id('account_id'), include_filtered: flag() }

/** Which notifications a caller asks for; unknown types are dropped. */
export const notificationFilterOf = (input: z.output<ReturnType<typeof form<typeof notificationFilter>>>) => ({
  types: input.types.filter((type) => TYPES.has(type)),
  hasTypes: input.types.length > 0,
  excludeTypes: input.exclude_types.filter((type) => TYPES.has(type)),
  accountId: input.account_id ?? '',
  includeFiltered: input.include_filtered ?? false,
})
