import { type Prepared, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isActiveMute } from '../../audience/index.ts'

/** Rows per call. */
export const PART = 1000

/** The account, the last id of the previous part, and the domain and base URL for local handles and uris. */
type Wanted = { accountId: string; afterId: string; domain: string; baseUrl: string; limit: number; now: Date }

/** A row with its id, and its cells. */
type PortableRow = { id: string; cells: string[] }

const rows = (kind: string, select: (given: Wanted) => RawBuilder<unknown>): Prepared<Wanted, PortableRow> =>
  prepared(
    `portability.${kind}`,
    (given: Wanted) => sql<PortableRow>`${select(given)} and r.id > ${given.afterId} order by r.id limit ${given.limit}`,
  )

const yesOrNo = (column: string) => sql`case when ${sql.raw(column)} then 'true' else 'false' end`
const acct = ({ domain }: Wanted) => sql`a.username || '@' || coalesce(a.domain, ${domain}::text)`

/** One statement per part, for each kind; the columns are those of the files that other servers write and read. */
export const PORTABLE = {
  following: rows(
    'following',
    (given) => sql`
      select r.id, array[${acct(given)}, ${yesOrNo('r.reblogs')}, ${yesOrNo('r.notify')}, array_to_string(coalesce(r.languages, '{}'), ', ')] cells
      from follow r join account a on a.id = r.target_id and a.closed_at is null where r.account_id = ${given.accountId}`,
  ),
  blocks: rows(
    'blocks',
    (given) => sql`
      select r.id, array[${acct(given)}] cells from block r join account a on a.id = r.target_id and a.closed_at is null
      where r.account_id = ${given.accountId}`,
  ),
  mutes: rows(
    'mutes',
    (given) => sql`
      select r.id, array[${acct(given)}, ${yesOrNo('r.notifications')}] cells
      from mute r join account a on a.id = r.target_id and a.closed_at is null
      where r.account_id = ${given.accountId} and ${isActiveMute('r', sql.val(given.now))}`,
  ),
  lists: rows(
    'lists',
    (given) => sql`
      select r.id, array[l.title, ${acct(given)}] cells from list l join list_member r on r.list_id = l.id
      join account a on a.id = r.account_id and a.closed_at is null where l.account_id = ${given.accountId}`,
  ),
  bookmarks: rows(
    'bookmarks',
    (given) => sql`
      select r.id, array[coalesce(s.uri, ${given.baseUrl}::text || '/users/' || a.username || '/statuses/' || h.id)] cells
      from bookmark r join status_head h on h.id = r.status_id join status s on s.id = h.id join account a on a.id = h.author_id and a.closed_at is null
      where r.account_id = ${given.accountId}`,
  ),
  domain_blocks: rows(
    'domain_blocks',
    (given) => sql`select r.id, array[r.domain] cells from domain_block r where r.account_id = ${given.accountId}`,
  ),
} as const

type PortableKind = keyof typeof PORTABLE

/** Whether a text is a kind of export. */
export const isPortableKind = (text: string): text is PortableKind => Object.hasOwn(PORTABLE, text)
