import type { LiveDeletion, LiveStatus } from '@rookery/contracts/events'
import { hashtagKey } from '../channels/names.ts'

/** The public and tag streams that carry a status (beyond-the-spec 1.7); personal ones are named by its recipients. */
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
