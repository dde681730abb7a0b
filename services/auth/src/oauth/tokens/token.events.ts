import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that a token was revoked. The key is the account, or the token itself for client credentials. */
export const tokenRevoked = (token: { id: string; accountId: string | null }): OutboxEvent => ({
  key: token.accountId ?? token.id,
  event: { $case: 'tokenRevoked', value: { tokenId: token.id, accountId: token.accountId ?? '' } },
})

/** The live message that closes the open streams of a token. */
export const tokenClosed = (tokenId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'tokenRevoked', value: { tokenId } } }).finish()
