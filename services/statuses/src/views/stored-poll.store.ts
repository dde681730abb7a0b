/** The poll of the status whose head is `h`, as a StoredPoll or null: a column of the statements that load statuses. */
export const STORED_POLL = `(select json_build_object('expires_at', (extract(epoch from p.expires_at) * 1000)::bigint,
    'is_multiple', p.is_multiple, 'hides_totals', p.hides_totals, 'options', p.options, 'votes', p.votes, 'voters', p.voters)
  from poll p where p.status_id = h.id)`
