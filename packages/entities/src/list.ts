import type { List } from '@rookery/contracts/statuses'

/** List (spec, Resources; beyond-the-spec 1.1). */
export const listEntity = ({ id, title, repliesPolicy, isExclusive }: List) => ({
  id,
  title,
  replies_policy: repliesPolicy,
  exclusive: isExclusive,
})
