import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import { DESCRIPTION, type Description } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import type { Reservation } from './reservations.rules.ts'

const columnsOf = (reservations: readonly Reservation[]) => ({
  media: reservations.map(({ mediaId }) => mediaId),
  subjects: reservations.map(({ subjectId }) => subjectId),
  owners: reservations.map(({ ownerId }) => ownerId),
})

export class ReservationWriter {
  readonly #tx: Tx<MediaTables>

  constructor(tx: Tx<MediaTables>) {
    this.#tx = tx
  }

  /** Reserves files for scheduled statuses, unless those have ended. A file that an older event released is reserved again. */
  async keep(reservations: readonly Reservation[]): Promise<void> {
    const { media, subjects, owners } = columnsOf(reservations)
    await sql`
      update attachment a set subject_id = kept.subject, expires_at = null
      from unnest(${media}::bigint[], ${subjects}::bigint[], ${owners}::bigint[]) as kept (media, subject, owner)
      where a.id = kept.media and a.owner_id = kept.owner and (a.subject_id = kept.subject or a.subject_id is null)
        and not exists (select 1 from ended_subject e where e.id = kept.subject)`.execute(this.#tx)
  }

  /** Releases files: they may be claimed again until they expire. */
  async drop(reservations: readonly Reservation[], expiresAt: Date): Promise<void> {
    const { media, subjects } = columnsOf(reservations)
    await sql`
      update attachment a set subject_id = null, claimed_at = null, expires_at = ${expiresAt}
      from unnest(${media}::bigint[], ${subjects}::bigint[]) as dropped (media, subject)
      where a.id = dropped.media and a.subject_id = dropped.subject`.execute(this.#tx)
  }

  /** Moves reserved files to another subject; returns their descriptions. A file that is claimed but not reserved is not moved. */
  async move(moves: readonly { from: string; to: string }[]): Promise<(Description & { subjectId: string })[]> {
    const { rows } = await sql<Description & { subjectId: string }>`
      update attachment a set subject_id = moved.target
      from unnest(${moves.map(({ from }) => from)}::bigint[], ${moves.map(({ to }) => to)}::bigint[]) as moved (source, target)
      where a.subject_id = any(${moves.map(({ from }) => from)}::bigint[]) and a.subject_id = moved.source and a.expires_at is null
      returning ${sql.join(DESCRIPTION.map((name) => sql.ref(`a.${name}`)))}, a.subject_id`.execute(this.#tx)
    return rows
  }
}
