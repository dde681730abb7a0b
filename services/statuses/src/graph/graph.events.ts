import type { KeyedFact } from '@rookery/events'

type Pair = { accountId: string; targetId: string }

/** Somebody began to follow somebody. */
export const accountFollowed = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountFollowed', value: pair } })

/** Somebody no longer follows somebody. */
export const accountUnfollowed = (pair: Pair): KeyedFact => ({
  key: pair.accountId,
  fact: { $case: 'accountUnfollowed', value: pair },
})

/** Somebody blocked somebody. */
export const accountBlocked = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountBlocked', value: pair } })

/** Somebody muted somebody. */
export const accountMuted = (mute: Pair & { notifications: boolean }): KeyedFact => ({
  key: mute.accountId,
  fact: { $case: 'accountMuted', value: mute },
})
