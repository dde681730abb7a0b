import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that a token may no longer be used. A token of no person is its own key. */
export const tokenRevoked = (token: { id: string; accountId: string | null }): OutboxEvent => ({
  key: token.accountId ?? token.id,
  event: { $case: 'tokenRevoked', value: { tokenId: token.id, accountId: token.accountId ?? '' } },
})

/** Tells connections opened with a token to close. */
export const tokenClosed = (tokenId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'tokenRevoked', value: { tokenId } } }).finish()
