import { every } from '@rookery/handles'

/** Runs a function at an interval, in milliseconds, until it is stopped; injected so that tests need not wait. */
export type Every = (milliseconds: number, run: () => unknown) => () => void

/** Intervals of the machine. */
export const systemEvery =
  (onError: (error: unknown) => void): Every =>
  (milliseconds, run) =>
    every(milliseconds, run, { onError }).stop

/** Interval of comments on event streams (beyond-the-spec 1.7), in milliseconds. */
export const THUMP_MILLISECONDS = 15_000
/** Interval of pings on WebSockets, in milliseconds; a client that missed the previous one is disconnected. */
export const PING_MILLISECONDS = 30_000
/** Interval of token checks, in milliseconds: with the call itself, well within a minute of a revocation. */
export const TOKEN_MILLISECONDS = 30_000
/**
 * Interval of checks for blocked networks, in milliseconds: twice within the 30 seconds in which a block takes effect, as a stream may be
 * just opening at the first.
 */
export const NETWORKS_MILLISECONDS = 15_000
