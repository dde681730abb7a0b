import { prepared } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import { isThere } from '../audience/index.ts'
import type { ShownCard } from '../content/cards/index.ts'
import type { StoredPoll } from '../database/tables/poll.ts'
import type { StatusTable } from '../database/tables/status.ts'
import { STORED_POLL } from './stored-poll.store.ts'

/** A status's row with the version it was read at. */
export type StatusRow = Omit<Selectable<StatusTable>, 'authorId' | 'text' | 'isFindable'> & {
  version: number
  accountId: string
  username: string
  /** Null for local statuses. */
  domain: string | null
  visibility: number
  reblogOfId: string | null
  poll: StoredPoll | null
  card: ShownCard | null
}

/** The full statuses of a list of ids, with their versions; deleted ones are left out, as are a parent and its author that were deleted. */
export const readStatusRows = prepared(
  'views.statuses',
  ({ ids }: { ids: readonly string[] }) => sql<StatusRow>`
    select h.id, h.version, h.author_id account_id, a.username, a.domain, s.uri, s.url, h.visibility, h.reblog_of_id, s.spoiler_text, s.sensitive, s.language, s.content,
      (select id from status_head where id = s.in_reply_to_id) in_reply_to_id,
      (select id from account where id = s.in_reply_to_account_id and ${isThere()}) in_reply_to_account_id,
      s.created_at, s.edited_at, s.application_name, s.application_website, s.mentions, s.tags, s.attachments,
      ${STORED_POLL} poll,
      s.emojis,
      (select p.card || jsonb_build_object('url', c.url) from status_card c join preview_card p using (digest) where c.status_id = h.id) card
    from status_head h join status s on s.id = h.id join account a on a.id = h.author_id
    where h.id = any(${ids}::bigint[])`,
)
