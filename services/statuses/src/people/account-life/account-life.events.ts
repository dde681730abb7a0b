import type { KeyedFact } from '@rookery/events'

/** An account is gone, with everything of it that statuses kept. */
export const accountRemoved = (accountId: string): KeyedFact => ({
  key: accountId,
  fact: { $case: 'accountRemoved', value: { accountId } },
})
