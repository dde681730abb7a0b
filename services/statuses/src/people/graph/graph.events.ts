import type { KeyedFact } from '@rookery/events'

type Pair = { accountId: string; targetId: string }

/** Somebody began to follow somebody. */
export const accountFollowed = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountFollowed', value: pair } })

/** Somebody no longer follows somebody. */
export const accountUnfollowed = (pair: Pair): KeyedFact => ({
  key: pair.accountId,
  fact: { $case: 'accountUnfollowed', value: pair },
})

/** A follow asks for something else than before. */
export const followChanged = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'followChanged', value: pair } })

/** Somebody blocked somebody. */
export const accountBlocked = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountBlocked', value: pair } })

/** Somebody ended a block. */
export const accountUnblocked = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountUnblocked', value: pair } })

/** A mute ended, by hand or by its time. */
export const accountUnmuted = (pair: Pair): KeyedFact => ({ key: pair.accountId, fact: { $case: 'accountUnmuted', value: pair } })

/** Somebody muted somebody. */
export const accountMuted = (mute: Pair & { notifications: boolean }): KeyedFact => ({
  key: mute.accountId,
  fact: { $case: 'accountMuted', value: mute },
})
