import type pg from 'pg'

/** The advisory lock that pauses relays; a schema's lock is (this, hash of the schema's name). */
const HOLD_LOCK = 4_717

/** Whether the relay of this schema may publish, because it is not paused. The lock is taken and released within a statement. */
export const MAY_PUBLISH = `(select pg_try_advisory_xact_lock_shared(${HOLD_LOCK}, hashtext(current_schema())))`

/**
 * Pauses the relay of the client's schema until the client releases it or its connection ends. Events written meanwhile are committed as
 * always and stay in the outbox; a batch that the relay had already read may still arrive.
 */
export const pauseRelay = async (client: Pick<pg.ClientBase, 'query'>): Promise<{ resume(): Promise<void> }> => {
  await client.query('select pg_advisory_lock($1, hashtext(current_schema()))', [HOLD_LOCK])
  return {
    async resume() {
      await client.query('select pg_advisory_unlock($1, hashtext(current_schema()))', [HOLD_LOCK])
    },
  }
}
