import { LiveMessage } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that an account may, or may no longer, use the API. */
export const loginStateChanged = (accountId: string, isActive: boolean): OutboxEvent => ({
  key: accountId,
  event: { $case: 'loginStateChanged', value: { accountId, isActive } },
})

/** The event that a person signed up and confirmed their address. */
export const signedUp = (accountId: string): OutboxEvent => ({ key: accountId, event: { $case: 'signedUp', value: { accountId } } })

/** The live message that closes the open streams of an account. */
export const loginClosed = (accountId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'loginClosed', value: { accountId } } }).finish()
