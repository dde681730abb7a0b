import { type Db, prepared } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'

/** A host as far as it may be asked for files. */
type KnownHost = { failures: number; restsUntil: Date | null; hour: Date; bytes: number }

/** The recent answers of a host. */
export const readHost = prepared(
  'remote-hosts.read',
  ({ host }: { host: string }) => sql<KnownHost>`
    select failures, rests_until, hour, bytes::float8 bytes from remote_host where host = ${host}`,
)

/** Hosts that rest now. */
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

  /** Counts bytes in the hour that began then; the host answers again. */
  async answered(host: string, { hour, bytes }: { hour: Date; bytes: number }): Promise<void> {
    await sql`
      insert into remote_host (host, hour, bytes) values (${host}, ${hour}, ${bytes})
      on conflict (host) do update set failures = 0, rests_until = null, hour = ${hour},
        bytes = excluded.bytes + case when remote_host.hour = excluded.hour then remote_host.bytes else 0 end`.execute(this.#db)
  }

  /** Counts bytes in the hour that began then, of what came to nothing. */
  async sent(host: string, { hour, bytes }: { hour: Date; bytes: number }): Promise<void> {
    await sql`
      insert into remote_host (host, hour, bytes) values (${host}, ${hour}, ${bytes})
      on conflict (host) do update set hour = ${hour},
        bytes = excluded.bytes + case when remote_host.hour = excluded.hour then remote_host.bytes else 0 end`.execute(this.#db)
  }

  /** Counts a failure in a row; answers how many there are. */
  async failed(host: string, { hour }: { hour: Date }): Promise<number> {
    const { rows } = await sql<{ failures: number }>`
      insert into remote_host (host, hour, failures) values (${host}, ${hour}, 1)
      on conflict (host) do update set failures = least(remote_host.failures + 1, 1000) returning failures`.execute(this.#db)
    return rows[0]?.failures ?? 1
  }

  async rest(host: string, until: Date): Promise<void> {
    await this.#db.updateTable('remoteHost').set({ restsUntil: until }).where('host', '=', host).execute()
  }

  /** Forgets hosts that nothing was counted of since then, and that do not rest. */
  async forget(before: Date): Promise<void> {
    await this.#db
      .deleteFrom('remoteHost')
      .where('hour', '<', before)
      .where((host) => host.or([host('restsUntil', 'is', null), host('restsUntil', '<', before)]))
      .execute()
  }
}
