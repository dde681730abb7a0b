import type { OutboxEvent } from '@rookery/events'

type Pair = { accountId: string; targetId: string }

/** A local account requested to follow a remote one. */
export const followRequested = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'followRequested', value: pair } })

/** A local account withdrew that request. */
export const followRequestWithdrawn = (pair: Pair): OutboxEvent => ({
  key: pair.accountId,
  event: { $case: 'followRequestWithdrawn', value: pair },
})

/** A local account rejected the request of a remote one, or ended its follow. */
export const followRefused = (pair: Pair): OutboxEvent => ({ key: pair.targetId, event: { $case: 'followRefused', value: pair } })

/** An account followed another. */
export const accountFollowed = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountFollowed', value: pair } })

/** An account unfollowed another. */
export const accountUnfollowed = (pair: Pair): OutboxEvent => ({
  key: pair.accountId,
  event: { $case: 'accountUnfollowed', value: pair },
})

/** The options of a follow changed. */
export const followChanged = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'followChanged', value: pair } })

/** An account blocked another. */
export const accountBlocked = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountBlocked', value: pair } })

/** An account unblocked another. */
export const accountUnblocked = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountUnblocked', value: pair } })

/** A mute ended, or expired. */
export const accountUnmuted = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountUnmuted', value: pair } })

/** An account muted another. */
export const accountMuted = (mute: Pair & { notifications: boolean }): OutboxEvent => ({
  key: mute.accountId,
  event: { $case: 'accountMuted', value: mute },
})
