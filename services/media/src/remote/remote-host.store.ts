import { type Db, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** The state of a host. */
type KnownHost = { failures: number; restsUntil: Date | null; hour: Date; bytes: number }

/** The state of a host. */
export const readHost = prepared(
  'remote-hosts.read',
  ({ host }: { host: string }) => sql<KnownHost>`
    select failures, rests_until, hour, bytes::float8 bytes from remote_host where host = ${host}`,
)

/** The number of paused hosts. */
export const countResting = prepared(
  'remote-hosts.resting',
  ({ now }: { now: Date }) => sql<{ count: number }>`
    select count(*)::int count from remote_host where failures > 0 and rests_until > ${now}`,
)

export class RemoteHostWriter {
  readonly #db: Db<MediaTables>

  constructor(db: Db<MediaTables>) {
    this.#db = db
  }

  /** Adds bytes to the given hour, and resets the failures. */
  async answered(host: string, { hour, bytes }: { hour: Date; bytes: number }): Promise<void> {
    await sql`
      insert into remote_host (host, hour, bytes) values (${host}, ${hour}, ${bytes})
      on conflict (host) do update set failures = 0, rests_until = null, hour = ${hour},
        bytes = excluded.bytes + case when remote_host.hour = excluded.hour then remote_host.bytes else 0 end`.execute(this.#db)
  }

  /** Adds the bytes of a useless answer to the given hour. */
  async sent(host: string, { hour, bytes }: { hour: Date; bytes: number }): Promise<void> {
    await sql`
      insert into remote_host (host, hour, bytes) values (${host}, ${hour}, ${bytes})
      on conflict (host) do update set hour = ${hour},
        bytes = excluded.bytes + case when remote_host.hour = excluded.hour then remote_host.bytes else 0 end`.execute(this.#db)
  }

  /** Counts a consecutive failure; returns how many there are. */
  async failed(host: string, { hour }: { hour: Date }): Promise<number> {
    const { rows } = await sql<{ failures: number }>`
      insert into remote_host (host, hour, failures) values (${host}, ${hour}, 1)
      on conflict (host) do update set failures = least(remote_host.failures + 1, 1000) returning failures`.execute(this.#db)
    return rows[0]?.failures ?? 1
  }

  async pause(host: string, until: Date): Promise<void> {
    await this.#db.updateTable('remoteHost').set({ restsUntil: until }).where('host', '=', host).execute()
  }

  /** Deletes hosts without activity since a time that are not paused. */
  async forget(before: Date): Promise<void> {
    await this.#db
      .deleteFrom('remoteHost')
      .where('hour', '<', before)
      .where((host) => host.or([host('restsUntil', 'is', null), host('restsUntil', '<', before)]))
      .execute()
  }
}
