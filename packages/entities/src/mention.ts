import type { Mention } from '@rookery/contracts/statuses'
import { type Addresses, acctOf, profileOf } from './addresses.ts'

/** A mentioned person (spec, Status::Mention). */
export const mentionEntity = (mention: Mention, urls: Addresses) => ({
  id: mention.accountId,
  username: mention.username,
  url: profileOf(mention, urls),
  acct: acctOf(mention),
})
