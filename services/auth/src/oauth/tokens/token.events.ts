import { LiveMessage } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** The fact that a token may no longer be used. A token of no person is its own key. */
export const tokenRevoked = (token: { id: string; accountId: string | null }): KeyedFact => ({
  key: token.accountId ?? token.id,
  fact: { $case: 'tokenRevoked', value: { tokenId: token.id, accountId: token.accountId ?? '' } },
})

/** Tells connections opened with a token to close. */
export const tokenClosed = (tokenId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'tokenRevoked', value: { tokenId } } }).finish()
