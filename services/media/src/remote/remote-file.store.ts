import { type Db, prepared, type Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'
import type { NamedRemoteFile } from './remote-file.rules.ts'

/** The state of a remote file. */
export type KnownFile = {
  originalKey: string | null
  stillKey: string | null
  isKept: boolean
  failures: number
  askedAt: Date
  retryAt: Date | null
}

/** The stored versions of a remote file. */
export type StoredKeys = { originalKey: string; stillKey: string | null; bytes: number }

/** Rows per statement: a large backlog is handled in batches. */
export const AT_A_TIME = 500

/** The domain of a file without its port, reversed, so that an index finds the domains below another. */
const HOST = sql.raw("reverse(split_part(domain, ':', 1))")

const isOf = (domain: string) => sql`${HOST} = reverse(${domain}::text)`
const isBelow = (domain: string) => sql`${HOST} ~>=~ (reverse(${domain}::text) || '.') and ${HOST} ~<~ (reverse(${domain}::text) || '/')`

/** The record of a remote file. */
export const readRemoteFile = prepared(
  'remote-files.read',
  ({ digest }: { digest: string }) => sql<KnownFile>`
    select original_key, still_key, is_kept, failures, asked_at, retry_at from remote_file where digest = ${digest}`,
)

/** The files among these that are neither cached nor paused after a failure. */
export const readUncached = prepared(
  'remote-files.unkept',
  ({ digests, now }: { digests: readonly string[]; now: Date }) => sql<{ digest: string }>`
    select digest from unnest(${digests}::text[]) as asked (digest)
    where not exists (select from remote_file f where f.digest = asked.digest and (f.is_kept or f.retry_at > ${now}))`,
)

export class RemoteFileReader {
  readonly #db: Db<MediaTables>

  constructor(db: Db<MediaTables>) {
    this.#db = db
  }

  /** How many files are cached, and their bytes. */
  async usage(): Promise<{ files: number; bytes: number }> {
    const { rows } = await sql<{ files: number; bytes: number }>`
      select count(*)::int files, coalesce(sum(bytes), 0)::float8 bytes from remote_file where is_kept`.execute(this.#db)
    return rows[0] ?? { files: 0, bytes: 0 }
  }

  /** The domains with the most bytes, the largest first. */
  async largest(max: number): Promise<{ domain: string; files: number; bytes: number }[]> {
    const { rows } = await sql<{ domain: string; files: number; bytes: number }>`
      select domain, count(*)::int files, sum(bytes)::float8 bytes from remote_file where is_kept
      group by domain order by sum(bytes) desc, domain limit ${max}`.execute(this.#db)
    return rows
  }

  /** The number of uploads, and their recorded bytes. */
  async uploads(): Promise<{ files: number; bytes: number }> {
    const { rows } = await sql<{ files: number; bytes: number }>`
      select count(*)::int files, coalesce(sum(coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)), 0)::float8 bytes
      from attachment`.execute(this.#db)
    return rows[0] ?? { files: 0, bytes: 0 }
  }

  /** The domains of files below a domain, itself included, with ports. Reads all these files. */
  async domainsBelow(domain: string): Promise<string[]> {
    const { rows } = await sql<{ domain: string }>`
      select distinct domain from (
        select domain from remote_file where ${isOf(domain)}
        union all
        select domain from remote_file where ${isBelow(domain)}
      ) below`.execute(this.#db)
    return rows.map((row) => row.domain)
  }
}

export class RemoteFileWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Records the keys of files that are about to be stored, unless another process stored some; returns whether, and the replaced keys. */
  async name(file: NamedRemoteFile, keys: StoredKeys, now: Date): Promise<{ isNamed: boolean; replaced: string[] }> {
    const { rows: before } = await sql<{ isKept: boolean; originalKey: string | null; stillKey: string | null }>`
      select is_kept, original_key, still_key from remote_file where digest = ${file.digest} for update`.execute(this.#tx)
    if (before[0]?.isKept) return { isNamed: false, replaced: [] }
    const { digest, purpose, domain, url } = file
    const values = { ...keys, isKept: false, askedAt: now }
    await this.#tx
      .insertInto('remoteFile')
      .values({ digest, purpose, domain, url, retryAt: null, ...values })
      .onConflict((conflict) => conflict.column('digest').doUpdateSet(values))
      .execute()
    return { isNamed: true, replaced: [before[0]?.originalKey, before[0]?.stillKey].flatMap((key) => key ?? []) }
  }

  /** Marks a record's files as stored; false if another process has recorded others since. */
  async keep(digest: string, { originalKey }: StoredKeys): Promise<boolean> {
    const row = await this.#tx
      .updateTable('remoteFile')
      .set({ isKept: true, failures: 0, retryAt: null })
      .where('digest', '=', digest)
      .where('originalKey', '=', originalKey)
      .returning('digest')
      .executeTakeFirst()
    return row !== undefined
  }

  /** Records a failed fetch, and when it may be retried. */
  async fail({ digest, purpose, domain, url }: NamedRemoteFile, failure: { failures: number; now: Date; retryAt: Date }): Promise<void> {
    const values = { failures: failure.failures, askedAt: failure.now, retryAt: failure.retryAt }
    await this.#tx
      .insertInto('remoteFile')
      .values({ digest, purpose, domain, url, originalKey: null, stillKey: null, ...values })
      .onConflict((conflict) => conflict.column('digest').doUpdateSet(values).where('remoteFile.isKept', '=', false))
      .execute()
  }

  /** Records that a file was requested. */
  async touch(digest: string, now: Date): Promise<void> {
    await this.#tx.updateTable('remoteFile').set({ askedAt: now }).where('digest', '=', digest).execute()
  }

  /** Marks a record's files as missing, so that they are fetched again. */
  async lose(digest: string): Promise<void> {
    await this.#tx.updateTable('remoteFile').set({ isKept: false }).where('digest', '=', digest).execute()
  }

  /** Deletes a batch of records that were not requested since a time, and schedules their files for deletion. */
  discardUnasked(before: Date, now: Date): Promise<Discarded> {
    return this.#discard(
      sql`select digest from remote_file where asked_at <= ${before} order by asked_at limit ${AT_A_TIME} for update skip locked`,
      now,
    )
  }

  /** The same for a domain and those below it. */
  discardBelow(domain: string, before: Date, now: Date): Promise<Discarded> {
    const some = (condition: RawBuilder<unknown>) =>
      sql`select digest from remote_file where ${condition} and asked_at <= ${before} limit ${AT_A_TIME}`
    return this.#discard(
      sql`select digest from remote_file
        where digest = any(array((${some(isOf(domain))}) union all (${some(isBelow(domain))}) limit ${AT_A_TIME})) and asked_at <= ${before} for update`,
      now,
    )
  }

  /** The same for exactly these domains. */
  discardOf(domains: readonly string[], before: Date, now: Date): Promise<Discarded> {
    const reversed = domains.map((domain) => [...domain.replace(/:\d+$/, '')].toReversed().join(''))
    return this.#discard(
      sql`select digest from remote_file
        where ${HOST} = any(${reversed}::text[]) and domain = any(${[...domains]}::text[]) and asked_at <= ${before} limit ${AT_A_TIME} for update`,
      now,
    )
  }

  async #discard(doomed: RawBuilder<unknown>, now: Date): Promise<Discarded> {
    const { rows } = await sql<Discarded>`
      with gone as (delete from remote_file where digest = any(array(${doomed})) returning original_key, still_key, is_kept, bytes),
        noted as (
          insert into discarded_file (key, discarded_at)
          select key, ${now}::timestamptz from gone, unnest(array[original_key, still_key]) key where key is not null
          on conflict do nothing
        )
      select count(*)::int count, coalesce(sum(bytes) filter (where is_kept), 0)::float8 bytes from gone`.execute(this.#tx)
    return rows[0] ?? { count: 0, bytes: 0 }
  }
}

/** The number of deleted records, and the bytes of their files. */
export type Discarded = { count: number; bytes: number }
