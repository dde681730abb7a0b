import { covers } from '@rookery/contracts/scopes'
import type { Channel } from './names.ts'

/** Whether a token's scopes cover notifications: on `user` they are left out without (beyond-the-spec 1.7). */
export const mayReceiveNotifications = (scopes: readonly string[]): boolean => covers(scopes, 'read:notifications')

/** Whether a token's scopes open a stream. */
export const mayOpen = (scopes: readonly string[], { name }: Channel): boolean =>
  name === 'user:notification' ? mayReceiveNotifications(scopes) : covers(scopes, 'read:statuses')
