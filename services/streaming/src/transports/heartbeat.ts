import { every } from '@rookery/handles'

/** Runs something at intervals until it is stopped; handed in so that tests need not wait. */
export type Every = (milliseconds: number, run: () => unknown) => () => void

/** The machine's own intervals. */
export const systemEvery =
  (onError: (error: unknown) => void): Every =>
  (milliseconds, run) =>
    every(milliseconds, run, { onError }).stop

/** Comments on event streams (beyond-the-spec 1.7). */
export const THUMP_MILLISECONDS = 15_000
/** Pings on WebSockets; who missed the previous one is dropped. */
export const PING_MILLISECONDS = 30_000
/** Looks at tokens: with the call itself, well within a minute of a revocation. */
export const TOKEN_MILLISECONDS = 30_000
/** Looks at networks without access: twice within the 30 seconds in which a block acts, as a stream may be on its way in at the first. */
export const NETWORKS_MILLISECONDS = 15_000
