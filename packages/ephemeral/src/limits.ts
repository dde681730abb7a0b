const MINUTE = 60_000

/** How long a live message is kept, in milliseconds. */
export const KEPT_MILLISECONDS = 60 * MINUTE

/**
 * How long messages are published for an account after its last connection, in milliseconds: as long as any position it got can be resumed
 * from.
 */
export const GRACE_MILLISECONDS = KEPT_MILLISECONDS + 2 * MINUTE

/** The limits of the log. */
export const MAX_LOG_ENTRIES = 100_000
export const MAX_LOG_BYTES = 32 * 1024 * 1024
