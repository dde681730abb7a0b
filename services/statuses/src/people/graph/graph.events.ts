import type { OutboxEvent } from '@rookery/events'

type Pair = { accountId: string; targetId: string }

/** A person of this server asks to follow one of another server. */
export const followRequested = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'followRequested', value: pair } })

/** They no longer ask. */
export const followRequestWithdrawn = (pair: Pair): OutboxEvent => ({
  key: pair.accountId,
  event: { $case: 'followRequestWithdrawn', value: pair },
})

/** A person of this server turned down the request of one of another server, or ended their follow. */
export const followRefused = (pair: Pair): OutboxEvent => ({ key: pair.targetId, event: { $case: 'followRefused', value: pair } })

/** Someone began to follow someone. */
export const accountFollowed = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountFollowed', value: pair } })

/** Someone no longer follows someone. */
export const accountUnfollowed = (pair: Pair): OutboxEvent => ({
  key: pair.accountId,
  event: { $case: 'accountUnfollowed', value: pair },
})

/** A follow asks for something else than before. */
export const followChanged = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'followChanged', value: pair } })

/** Someone blocked someone. */
export const accountBlocked = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountBlocked', value: pair } })

/** Someone ended a block. */
export const accountUnblocked = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountUnblocked', value: pair } })

/** A mute ended, by hand or by its time. */
export const accountUnmuted = (pair: Pair): OutboxEvent => ({ key: pair.accountId, event: { $case: 'accountUnmuted', value: pair } })

/** Someone muted someone. */
export const accountMuted = (mute: Pair & { notifications: boolean }): OutboxEvent => ({
  key: mute.accountId,
  event: { $case: 'accountMuted', value: mute },
})
