import type { z } from 'zod'
import { flag, type form, id, textList } from '../http/fields.ts'

/** The notification types of the contract (spec, Notification types); other types in requests are ignored. */
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

/** The filter parameters of lists of notifications. */
export const notificationFilter = { types: textList(), exclude_types: textList(), account_id: id('account_id'), include_filtered: flag() }

/** The filter of a request; unknown types are ignored. */
export const notificationFilterOf = (input: z.output<ReturnType<typeof form<typeof notificationFilter>>>) => ({
  types: input.types.filter((type) => TYPES.has(type)),
  hasTypes: input.types.length > 0,
  excludeTypes: input.exclude_types.filter((type) => TYPES.has(type)),
  accountId: input.account_id ?? '',
  includeFiltered: input.include_filtered ?? false,
})
