import { covers } from '@rookery/contracts/scopes'
import type { Channel } from './names.ts'

/** Whether a token's scopes include notifications; without, `user` streams leave them out (beyond-the-spec 1.7). */
export const mayReceiveNotifications = (scopes: readonly string[]): boolean => covers(scopes, 'read:notifications')

/** Whether a token's scopes allow a stream. */
export const mayOpen = (scopes: readonly string[], { name }: Channel): boolean =>
  name === 'user:notification' ? mayReceiveNotifications(scopes) : covers(scopes, 'read:statuses')
