import type { CountUnreadRequest, ListNotificationsRequest } from '@rookery/contracts/notifications'
import { isId } from '@rookery/ids'
import type { InboxFilter } from './inbox.store.ts'

type Filtered = ListNotificationsRequest | CountUnreadRequest

/** The filter of a request. */
export const filterOf = (request: Filtered): InboxFilter => ({
  types: request.types.length > 0 ? request.types : undefined,
  excludeTypes: request.excludeTypes,
  accountId: request.accountId || undefined,
  includeFiltered: request.includeFiltered,
})

/** Whether a request can match nothing: it names only unknown types, or an invalid account. */
export const asksForNothing = (request: Filtered): boolean =>
  (request.hasTypes && request.types.length === 0) || (request.accountId !== '' && !isId(request.accountId))
