import type { CountUnreadRequest, ListNotificationsRequest } from '@rookery/contracts/notifications'
import { isId } from '@rookery/ids'
import type { InboxFilter } from './inbox.store.ts'

type Filtered = ListNotificationsRequest | CountUnreadRequest

/** Which rows a request wants. */
export const filterOf = (request: Filtered): InboxFilter => ({
  types: request.types.length > 0 ? request.types : undefined,
  excludeTypes: request.excludeTypes,
  accountId: request.accountId || undefined,
  includeFiltered: request.includeFiltered,
})

/** Whether a request names unknown types only, or an account that cannot exist. */
export const asksForNothing = (request: Filtered): boolean =>
  (request.hasTypes && request.types.length === 0) || (request.accountId !== '' && !isId(request.accountId))
