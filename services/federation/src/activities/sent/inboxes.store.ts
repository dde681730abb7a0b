import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../../database/schema.ts'

/** The inboxes of all people elsewhere who have an account here, shared ones once. */
export const readKnownInboxes = prepared(
  'inboxes.known',
  (_all: object) => sql<{ inbox: string }>`
    select distinct coalesce(nullif(shared_inbox, ''), inbox) inbox from remote_actor where account_id is not null and gone_at is null`,
)

/** Whether anyone of another server is known. Who follows, is followed or is mentioned is known first: without them nothing leaves. */
export const isAnyoneKnown = async (tx: Tx<FederationTables>): Promise<boolean> =>
  (await tx.selectFrom('remoteActor').select('uri').limit(1).execute()).length > 0
