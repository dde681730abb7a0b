import type { EditStatusRequest, StatusPage } from '@rookery/contracts/statuses'
import { type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { allowedQuotePolicy } from '../../audience/index.ts'
import type { LinkFollower } from '../../content/cards/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { Views } from '../../views/index.ts'
import { QuoteWriter, statusQuotingChanged } from '../quotes/index.ts'
import { isChanged, timeOfEdit } from './edit.rules.ts'
import { type EditableStatus, type Edited, EditWriter, readOwn } from './edit.store.ts'
import { chosen, type EditJudging, type JudgedEdit, judgeEdit } from './judge-edit.ts'
import { replaceContent } from './replace-content.ts'

type Deps = EditJudging & { views: Views; outbox: Outbox; followLink: LinkFollower }

/**
 * Replaces a status's content: omitted fields are removed, except for the language, which stays. The first edit stores the original as a revision; an
 * edit without changes stores none (beyond-the-spec 1.10, Edit).
 * @throws Failure not_found if the status is not the viewer's own; invalid over the limits or for files that cannot be attached
 */
export const editStatus = (deps: Deps) => {
  const { database, outbox, views } = deps
  const judged = judgeEdit(deps)
  return async (call: Call, request: EditStatusRequest): Promise<StatusPage> => {
    const missing = `status ${request.id} is not ${request.viewerId}'s`
    const found = orNotFound(await readOwn(database.db, request.id, request.viewerId), missing)
    const wanted = await judged(call, request, found)
    await transact(database.db, async (tx) => {
      const showLink = await deps.followLink(tx, found.isQuote ? { ...wanted, text: '' } : wanted)
      const writer = new EditWriter(tx)
      const current = orNotFound(await writer.lock(request.id, request.viewerId, found), missing)
      const edited = inItsTurn(wanted, current, deps.clock.now())
      const before = undescribed(current, { found, fresh: wanted.fresh })
      const isPolicyChanged = await changePolicy(tx, request, before.visibility)
      if (!isChanged(before, edited)) {
        const about = { statusId: request.id, authorId: request.viewerId }
        return isPolicyChanged ? outbox.append(tx, [statusQuotingChanged(about)], call.trace) : undefined
      }
      const change = { before, edited, authorId: request.viewerId, fresh: wanted.fresh, showLink, trace: call.trace }
      await replaceContent({ outbox }, tx, change)
    })
    return views.byIds(request.viewerId, [request.id], 'direct')
  }
}

/** Sets the quote policy, if the edit has one; returns whether it changed. */
const changePolicy = async (tx: Tx<StatusesTables>, { id, quotePolicy }: EditStatusRequest, visibility: number): Promise<boolean> =>
  quotePolicy !== undefined && new QuoteWriter(tx).setPolicy(id, allowedQuotePolicy(quotePolicy, visibility))

/** The edit of the locked status: with the current display copies, since a file may have been described since the status was read. */
const inItsTurn = ({ fresh, ...edited }: JudgedEdit, current: EditableStatus, now: number): Edited => {
  const ids = edited.attachments.map(({ id }) => id)
  const attachments = chosen(ids, [...edited.attachments, ...current.attachments, ...fresh])
  return { ...edited, at: timeOfEdit(current, now), attachments }
}

/** The current status without this edit's own changes to files: their event may have been handled first. */
const undescribed = (
  current: EditableStatus,
  { found, fresh }: { found: EditableStatus; fresh: readonly StoredAttachment[] },
): EditableStatus => {
  const described = new Set(fresh.map(({ id }) => id))
  const earlier = found.attachments.filter(({ id }) => described.has(id))
  const ids = current.attachments.map(({ id }) => id)
  return { ...current, attachments: chosen(ids, [...current.attachments, ...earlier]) }
}
