import { LiveMessage } from '@rookery/contracts/events'

/** What open streams of the owner are told when anything of their filters changed, encoded (beyond-the-spec 1.7). */
export const liveFiltersChanged = (accountId: string): Uint8Array =>
  LiveMessage.encode({ event: { $case: 'filtersChanged', value: { accountId } } }).finish()
