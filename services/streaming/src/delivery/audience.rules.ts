import type { LiveDeletion, LiveMessage, LiveStatus } from '@rookery/contracts/events'
import { EVERYONE_KEY, hashtagKey, listKey, personalKey } from '../channels/names.ts'

/** An event of the live log. */
export type LiveEvent = NonNullable<LiveMessage['event']>

/** The keys of public and tag streams that carry a status (beyond-the-spec 1.7); its recipients determine the personal ones. */
export const sharedKeysOf = ({
  isListed,
  isLocal,
  hasMedia,
  tags,
}: Pick<LiveStatus | LiveDeletion, 'isListed' | 'isLocal' | 'hasMedia' | 'tags'>): string[] => {
  const origin = isLocal ? 'public:local' : 'public:remote'
  const listed = isListed ? ['public', origin] : []
  const withMedia = hasMedia ? listed.map((key) => `${key}:media`) : []
  const tagged = tags.flatMap((tag) => [hashtagKey('hashtag', tag), ...(isLocal ? [hashtagKey('hashtag:local', tag)] : [])])
  return [...listed, ...withMedia, ...tagged]
}

/** The keys of the streams of a status's recipients, and of their lists. */
export const recipientKeysOf = ({ recipientIds, listIds }: Pick<LiveStatus | LiveDeletion, 'recipientIds' | 'listIds'>): string[] => [
  ...recipientIds.map((id) => personalKey('user', id)),
  ...listIds.map(listKey),
]

/** The keys of the streams that carry a person's notifications, if the token's scopes include them. */
export const notificationKeysOf = (accountId: string): string[] => [
  personalKey('user', accountId),
  personalKey('user:notification', accountId),
]

/** The keys of the streams that an event is for, before visibility is checked. */
export const streamKeysOf = (event: LiveEvent): string[] => {
  switch (event.$case) {
    case 'status':
    case 'deletion':
      return [...recipientKeysOf(event.value), ...sharedKeysOf(event.value)]
    case 'notification':
      return notificationKeysOf(event.value.recipientId)
    case 'notificationsMerged':
      return notificationKeysOf(event.value.accountId)
    case 'conversation':
      return [personalKey('direct', event.value.recipientId)]
    case 'markers':
      return [personalKey('user:markers', event.value.recipientId)]
    case 'filtersChanged':
      return [personalKey('user', event.value.accountId)]
    case 'announcement':
    case 'announcementReaction':
    case 'announcementDeletion':
      return [EVERYONE_KEY]
    case 'tokenRevoked':
    case 'loginClosed':
      return []
  }
}
