import { LIMITS } from '@rookery/contracts/limits'
import { type Database, inOrder, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { claimedExpiry, mayClaim, mayStandTogether } from './attachment.rules.ts'
import { AttachmentWriter } from './attachment.store.ts'

type Deps = { database: Database<MediaTables>; clock: Clock }
type Claim = { ownerId: string; ids: readonly string[]; subjectId: string; typesBeside: readonly string[] }

const refuse = (message: string) => new Failure('invalid', message)

/**
 * Attaches files to the status or account that will show them, all or none; a repeat for the same subject changes nothing (beyond-the-spec
 * 1.4, Media errors). Returns them in the order of the ids.
 * @throws Failure invalid when there are too many, or one is missing, another's, attached elsewhere or not processed
 */
export const claimAttachments =
  ({ database, clock }: Deps) =>
  async (claim: Claim): Promise<AttachmentRow[]> => {
    const ids = [...new Set(claim.ids)]
    const max = LIMITS.statuses.maxMediaAttachments
    if (ids.length > max) throw refuse(`Cannot attach more than ${max} files`)
    const now = clock.now()
    return transact(database.db, async (tx) => {
      const writer = new AttachmentWriter(tx)
      const rows = await writer.lock(ids.filter(isId), claim.ownerId)
      const free = new Set(rows.filter((row) => mayClaim(row, claim.subjectId, now)).map((row) => row.id))
      const refused = ids.filter((id) => !free.has(id))
      if (refused.length > 0) throw refuse(`Media ${refused.join(', ')} not found or already attached to another post`)
      if (!mayStandTogether([...rows.map(({ type }) => type), ...claim.typesBeside]))
        throw refuse('Cannot attach a video to a post that already contains images')
      if (rows.some((row) => row.state !== 'done')) {
        throw refuse('Cannot attach files that have not finished processing. Try again in a moment!')
      }
      const fresh = rows.filter((row) => row.subjectId !== claim.subjectId).map((row) => row.id)
      const claimed = { subjectId: claim.subjectId, claimedAt: new Date(now), expiresAt: claimedExpiry(rows, now) }
      if (fresh.length > 0) await writer.claim(fresh, claimed)
      return inOrder(ids, rows)
    })
  }
