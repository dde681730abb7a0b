import { LIMITS } from '@rookery/contracts/limits'
import { invalid } from '@rookery/failures'

/** @throws Failure invalid at the limit of featured tags (beyond-the-spec 1.2) */
export const refuseFurtherTags = (shown: number): void => {
  if (shown >= LIMITS.accounts.maxFeaturedTags) throw invalid('You have already featured the maximum number of hashtags')
}
