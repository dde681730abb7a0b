import { type Db, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { MediaTables } from '../database/schema.ts'
import type { NamedRemoteFile } from './remote-file.rules.ts'

/** What is known of a file elsewhere. */
export type KnownFile = {
  originalKey: string | null
  stillKey: string | null
  isKept: boolean
  failures: number
  askedAt: Date
  retryAt: Date | null
}

/** What is kept of a file elsewhere. */
export type KeptKeys = { originalKey: string; stillKey: string | null; bytes: number }

/** Rows of one statement: a large backlog is worked off in parts. */
export const AT_A_TIME = 500

/** The record of a file elsewhere. */
export const readRemoteFile = prepared(
  'remote-files.read',
  ({ digest }: { digest: string }) => sql<KnownFile>`
    select original_key, still_key, is_kept, failures, asked_at, retry_at from remote_file where digest = ${digest}`,
)

/** The files among these that are neither stored nor in a pause after a failure. */
export const readUnkept = prepared(
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

  /** How many files are kept, and their bytes. */
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

  /** How many files people of this server uploaded, and their bytes as far as they are known. */
  async uploads(): Promise<{ files: number; bytes: number }> {
    const { rows } = await sql<{ files: number; bytes: number }>`
      select count(*)::int files, coalesce(sum(coalesce(original_bytes, 0)::bigint + coalesce(preview_bytes, 0)), 0)::float8 bytes
      from attachment`.execute(this.#db)
    return rows[0] ?? { files: 0, bytes: 0 }
  }

  /** The domains of files, of one and those below it, a port included. */
  async domainsBelow(domain: string): Promise<string[]> {
    const of = sql.raw("reverse(split_part(domain, ':', 1))")
    const { rows } = await sql<{ domain: string }>`
      select distinct domain from (
        select domain from remote_file where ${of} = reverse(${domain}::text)
        union all
        select domain from remote_file where ${of} ~>=~ (reverse(${domain}::text) || '.') and ${of} ~<~ (reverse(${domain}::text) || '/')
      ) below`.execute(this.#db)
    return rows.map((row) => row.domain)
  }
}

export class RemoteFileWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Names the files that are about to be kept, unless another process kept some; answers whether, and which files are named no more. */
  async name(file: NamedRemoteFile, keys: KeptKeys, now: Date): Promise<{ isNamed: boolean; replaced: string[] }> {
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

  /** Says that a record's files are in the storage; answers false where another process has named others since. */
  async keep(digest: string, { originalKey }: KeptKeys): Promise<boolean> {
    const row = await this.#tx
      .updateTable('remoteFile')
      .set({ isKept: true, failures: 0, retryAt: null })
      .where('digest', '=', digest)
      .where('originalKey', '=', originalKey)
      .returning('digest')
      .executeTakeFirst()
    return row !== undefined
  }

  /** Notes that a file could not be had; it is left alone until then. */
  async fail({ digest, purpose, domain, url }: NamedRemoteFile, failure: { failures: number; now: Date; retryAt: Date }): Promise<void> {
    const values = { failures: failure.failures, askedAt: failure.now, retryAt: failure.retryAt }
    await this.#tx
      .insertInto('remoteFile')
      .values({ digest, purpose, domain, url, originalKey: null, stillKey: null, ...values })
      .onConflict((conflict) => conflict.column('digest').doUpdateSet(values).where('remoteFile.isKept', '=', false))
      .execute()
  }

  /** Says that someone asked for a file. */
  async touch(digest: string, now: Date): Promise<void> {
    await this.#tx.updateTable('remoteFile').set({ askedAt: now }).where('digest', '=', digest).execute()
  }

  /** A record's files are not in the storage: they are fetched again. */
  async lose(digest: string): Promise<void> {
    await this.#tx.updateTable('remoteFile').set({ isKept: false }).where('digest', '=', digest).execute()
  }

  /** Takes out some of the records that no one asked for since then, and notes their files as to be deleted. */
  discardUnasked(before: Date, now: Date): Promise<Discarded> {
    return this.#discard(
      sql`select digest from remote_file where asked_at <= ${before} order by asked_at limit ${AT_A_TIME} for update skip locked`,
      now,
    )
  }

  /** The same of these domains. */
  discardOf(domains: readonly string[], before: Date, now: Date): Promise<Discarded> {
    const of = sql.raw("reverse(split_part(domain, ':', 1))")
    const reversed = domains.map((domain) => [...domain.replace(/:\d+$/, '')].toReversed().join(''))
    return this.#discard(
      sql`select digest from remote_file
        where ${of} = any(${reversed}::text[]) and domain = any(${[...domains]}::text[]) and asked_at <= ${before} limit ${AT_A_TIME} for update`,
      now,
    )
  }

  async #discard(doomed: ReturnType<typeof sql>, now: Date): Promise<Discarded> {
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

/** Records that were taken out, and the bytes of their files. */
export type Discarded = { count: number; bytes: number }
