import { sqlText, statement } from '@rookery/database'
import { isActiveMute } from '../../audience/index.ts'

/** Rows that one call answers with. */
export const PART = 1000

/** A row's own id, and its cells. */
export type PortableRow = [id: string, cells: string[]]

/** $1 whose, $2 after which row, $3 this server's domain or address, $4 how many, $5 now. */
const rows = (kind: string, text: string) =>
  statement<PortableRow>(
    `portability.${kind}`,
    // A statement refuses parameters it does not name.
    `${text} and $3::text is not null and $5::timestamptz is not null order by r.id limit $4`,
  )

const yesOrNo = (column: string) => `case when ${column} then 'true' else 'false' end`
const acct = `a.username || '@' || $3::text`

/** One statement a part, whatever the kind; the columns are those of the files that other servers write and read. */
export const PORTABLE = {
  following: rows(
    'following',
    `select r.id, array[${acct}, ${yesOrNo('r.reblogs')}, ${yesOrNo('r.notify')}, array_to_string(coalesce(r.languages, '{}'), ', ')]
     from follow r join account a on a.id = r.target_id and a.closed_at is null where r.account_id = $1 and r.id > $2`,
  ),
  blocks: rows(
    'blocks',
    `select r.id, array[${acct}] from block r join account a on a.id = r.target_id and a.closed_at is null where r.account_id = $1 and r.id > $2`,
  ),
  mutes: rows(
    'mutes',
    sqlText`select r.id, array[${acct}, ${yesOrNo('r.notifications')}]
     from mute r join account a on a.id = r.target_id and a.closed_at is null
     where r.account_id = $1 and r.id > $2 and ${isActiveMute('r', '$5')}`,
  ),
  lists: rows(
    'lists',
    `select r.id, array[l.title, ${acct}] from list l join list_member r on r.list_id = l.id
     join account a on a.id = r.account_id and a.closed_at is null where l.account_id = $1 and r.id > $2`,
  ),
  bookmarks: rows(
    'bookmarks',
    `select r.id, array[$3::text || '/users/' || a.username || '/statuses/' || h.id]
     from bookmark r join status_head h on h.id = r.status_id join account a on a.id = h.author_id and a.closed_at is null
     where r.account_id = $1 and r.id > $2`,
  ),
  domain_blocks: rows('domain_blocks', 'select r.id, array[r.domain] from domain_block r where r.account_id = $1 and r.id > $2'),
} as const

export type PortableKind = keyof typeof PORTABLE

/** Whether text names a kind of rows. */
export const isPortableKind = (text: string): text is PortableKind => Object.hasOwn(PORTABLE, text)
