import pg from 'pg'
import { onDeath } from './deaths.ts'
import type { Refusals } from './refusals.ts'
import { hearErrors, Session, type SessionOptions, sessionConfig } from './session.ts'

export type PoolOptions = SessionOptions & {
  connections: number
  /** How many stay open although they are idle; none unless said. */
  kept?: number
  /** Called when an idle connection broke. */
  onError?: (error: Error) => void
  /** Called whenever a statement was answered. */
  onAnswer?: () => void
  /** Hears what Postgres refuses. */
  refusals?: Refusals
}

/** Connections that died together with another one are noticed before a statement waits on them. */
const destroyIdle = (pool: pg.Pool) => {
  for (let left = pool.idleCount; left > 0; left--) {
    pool.connect().then(
      (client) => {
        ;(client as unknown as Session).destroy()
        client.release(true)
      },
      () => {},
    )
  }
}

/** Opens a pool of sessions. When any connection of this process to its server is found dead, its idle ones are replaced. @throws nothing */
export const openPool = ({ connections, kept = 0, onError, onAnswer, refusals, ...options }: PoolOptions): pg.Pool => {
  const config = { ...sessionConfig(options), max: connections, min: kept, ...(onAnswer && { onAnswer }), ...(refusals && { refusals }) }
  // The pool hands its whole configuration to each client it makes.
  const pool: pg.Pool = new pg.Pool({ ...config, Client: Session as unknown as new () => Session })
  pool.on('error', (error) => onError?.(error))
  pool.on('connect', hearErrors)
  const forget = onDeath(config.server, () => destroyIdle(pool))
  const end = pool.end.bind(pool)
  pool.end = () => {
    forget()
    return end()
  }
  return pool
}

/**
 * Opens the connections that a pool keeps. A process that did not do so before it is asked for something opens them all at its first
 * requests, while others start beside it and Postgres may take seconds for each. Those that cannot be had are opened when they are needed.
 */
export const openKept = async (pool: pg.Pool): Promise<void> => {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
}
