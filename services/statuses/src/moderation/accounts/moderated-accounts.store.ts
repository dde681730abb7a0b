import { type Db, keyset, type Page } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'

/** The filter of a list of accounts: conditions that are set must all hold. */
export type AccountFilter = {
  among: string[] | undefined
  username: string
  displayName: string
  isNotSuspended: boolean
  isSilenced: boolean
  isSuspended: boolean
  isSensitized: boolean
  isLocal: boolean
  isRemote: boolean
  domain: string
}

const COLUMNS = sql`select id, closed_at, is_silenced, is_suspended, is_sensitized, domain from account`

/** Matches accounts of another server, in the form that the index supports. */
const isOf = (domain: string) => {
  const name = domain.trim().toLowerCase()
  return sql`reverse(split_part(domain, ':', 1)) = reverse(split_part(${name}, ':', 1)) and domain = ${name}`
}

/** Matches the prefix of a name, in the form that the index supports. */
const begins = (column: 'username' | 'display_name', text: string) => {
  const beginning = text.trim().toLowerCase()
  return sql`lower(${sql.ref(column)}) ~>=~ ${beginning} and lower(${sql.ref(column)}) ~<~ ${`${beginning}\u{10ffff}`}`
}

/** The conditions on an account's state. Silenced and suspended accounts share one partial index, whose condition is repeated here. */
const STATES = [
  ['isNotSuspended', sql`not is_suspended`],
  ['isSilenced', sql`(is_silenced or is_suspended) and is_silenced`],
  ['isSuspended', sql`(is_silenced or is_suspended) and is_suspended`],
  ['isSensitized', sql`is_sensitized`],
  ['isLocal', sql`domain is null`],
  ['isRemote', sql`domain is not null`],
] as const satisfies [keyof AccountFilter, RawBuilder<unknown>][]

export class ModeratedAccountReader {
  private readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** The ids of a page, latest first; with min_id, lowest id first. Closed accounts are left out. */
  async page(filter: AccountFilter, page: Page): Promise<string[]> {
    const { below, above, order, limit } = keyset(page)
    const named = [
      ...(filter.username ? [begins('username', filter.username)] : []),
      ...(filter.displayName ? [begins('display_name', filter.displayName)] : []),
      ...(filter.domain ? [isOf(filter.domain)] : []),
    ]
    const conditions = [
      sql`id < ${below} and id > ${above} and closed_at is null`,
      ...(filter.among ? [sql`id = any(${filter.among}::bigint[])`] : []),
      ...STATES.filter(([state]) => filter[state]).map(([, condition]) => condition),
    ]
    const { rows } = await sql<{ id: string }>`
      ${named.length > 0 ? sql`with account as materialized (${COLUMNS} where ${sql.join(named, sql` and `)})` : sql``}
      select id from account where ${sql.join(conditions, sql` and `)} order by id ${sql.raw(order)} limit ${limit}`.execute(this.db)
    return rows.map(({ id }) => id)
  }
}
