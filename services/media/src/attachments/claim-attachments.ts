import { LIMITS } from '@rookery/contracts/limits'
import { type Database, inOrder, type Tx, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { claimedExpiry, mayClaim, mayStandTogether } from './attachment.rules.ts'
import { AttachmentWriter } from './attachment.store.ts'
import { type AttachmentChange, type ChangeDeps, changeAttachment } from './update-attachment.ts'

type Deps = ChangeDeps & { database: Database<MediaTables> }
type Claim = {
  ownerId: string
  ids: readonly string[]
  subjectId: string
  typesBeside: readonly string[]
  changes: readonly AttachmentChange[]
}

/** The claimed files in the order of the ids, and the changed ones in that of the changes. */
type Claimed = { attachments: AttachmentRow[]; changed: AttachmentRow[] }

const refuse = (message: string) => new Failure('invalid', message)

/** @throws Failure invalid when one is missing, another's, attached elsewhere or not processed */
const refuseFaults = (ids: readonly string[], rows: readonly AttachmentRow[], { subjectId, typesBeside }: Claim, now: number): void => {
  const free = new Set(rows.filter((row) => mayClaim(row, subjectId, now)).map((row) => row.id))
  const refused = ids.filter((id) => !free.has(id))
  if (refused.length > 0) throw refuse(`Media ${refused.join(', ')} not found or already attached to another post`)
  if (!mayStandTogether([...rows.map(({ type }) => type), ...typesBeside]))
    throw refuse('Cannot attach a video to a post that already contains images')
  if (rows.some((row) => row.state !== 'done')) {
    throw refuse('Cannot attach files that have not finished processing. Try again in a moment!')
  }
}

/**
 * Attaches files to the status or account that will show them, and changes files of it, all or none; a repeat for the same subject attaches
 * nothing more (beyond-the-spec 1.4, Media errors).
 * @throws Failure invalid when there are too many, or one is missing, another's, attached elsewhere or not processed, or for a change
 *   outside the limits; not_found for a change of a file that is missing or another's
 */
export const claimAttachments = ({ database, ...deps }: Deps) => {
  const changeLocked = changeAttachment(deps)

  const attach = async (tx: Tx<MediaTables>, rows: readonly AttachmentRow[], { subjectId }: Claim, now: number) => {
    const fresh = rows.filter((row) => row.subjectId !== subjectId).map((row) => row.id)
    if (fresh.length === 0) return
    await new AttachmentWriter(tx).claim(fresh, { subjectId, claimedAt: new Date(now), expiresAt: claimedExpiry(rows, now) })
  }

  return async (claim: Claim, trace: string): Promise<Claimed> => {
    const ids = [...new Set(claim.ids)]
    const max = LIMITS.statuses.maxMediaAttachments
    if (ids.length > max) throw refuse(`Cannot attach more than ${max} files`)
    const now = deps.clock.now()
    return transact(database.db, async (tx) => {
      const locked = await new AttachmentWriter(tx).lock([...ids, ...claim.changes.map(({ id }) => id)].filter(isId), claim.ownerId)
      const byId = new Map(locked.map((row) => [row.id, row]))
      const rows = locked.filter(({ id }) => ids.includes(id))
      if (ids.length > 0) refuseFaults(ids, rows, claim, now)
      // Before they are attached: no event needs to tell a status of changes that come with the claim.
      for (const change of claim.changes) byId.set(change.id, await changeLocked(tx, byId.get(change.id), change, trace))
      await attach(tx, rows, claim, now)
      const after = [...byId.values()]
      const changed = claim.changes.map(({ id }) => id)
      return { attachments: inOrder(ids, after), changed: inOrder(changed, after) }
    })
  }
}
