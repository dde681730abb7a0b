import { sql } from 'kysely'

/** The poll of the status whose head is `h`, as a StoredPoll or null: a column of the statements that load statuses. */
export const STORED_POLL = sql`(select json_build_object('expiresAt', (extract(epoch from p.expires_at) * 1000)::bigint,
    'isMultiple', p.is_multiple, 'hidesTotals', p.hides_totals, 'options', p.options, 'votes', p.votes, 'voters', p.voters)
  from poll p where p.status_id = h.id)`
