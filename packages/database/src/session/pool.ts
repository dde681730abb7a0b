import pg from 'pg'
import { onDeath } from './deaths.ts'
import type { Refusals } from './refusals.ts'
import { hearErrors, Session, type SessionOptions, sessionConfig } from './session.ts'

export type PoolOptions = SessionOptions & {
  connections: number
  /** How many connections stay open when idle; none by default. */
  minConnections?: number
  /** Called when an idle connection broke. */
  onError?: (error: Error) => void
  /** Called whenever a statement was answered. */
  onAnswer?: () => void
  /** Observes refused statements. */
  refusals?: Refusals
}

/** Checks out all idle connections, so that those that died together with another are noticed before a statement waits on them. */
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

/**
 * Opens a pool of sessions. When any connection of this process to its server is found dead, its idle ones are replaced. @throws nothing
 */
export const openPool = ({ connections, minConnections = 0, onError, onAnswer, refusals, ...options }: PoolOptions): pg.Pool => {
  const config = {
    ...sessionConfig(options),
    max: connections,
    min: minConnections,
    ...(onAnswer && { onAnswer }),
    ...(refusals && { refusals }),
  }
  // The pool passes its whole configuration to each client it creates.
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
 * Opens the pool's minimum of connections. Otherwise a process opens them all at its first requests, while others start beside it and
 * Postgres may take seconds for each. Connections that fail are opened on demand.
 */
export const openMinConnections = async (pool: pg.Pool): Promise<void> => {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.min ?? 0 }, () => pool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
}
