import { LiveMessage } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** The fact that somebody may, or may no longer, use the API. */
export const loginStateChanged = (accountId: string, isActive: boolean): KeyedFact => ({
  key: accountId,
  fact: { $case: 'loginStateChanged', value: { accountId, isActive } },
})

/** The fact that a person has signed up and confirmed their address. */
export const signedUp = (accountId: string): KeyedFact => ({ key: accountId, fact: { $case: 'signedUp', value: { accountId } } })

/** Tells open connections to close, since this person may no longer be here. */
export const loginClosed = (accountId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'loginClosed', value: { accountId } } }).finish()
