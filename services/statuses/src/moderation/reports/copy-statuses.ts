import { FormerStatus, StatusBody } from '@rookery/contracts/statuses'
import type { Views } from '../../views/index.ts'
import type { StatusCopy } from './reported-status.store.ts'

/** Copies the current content of statuses, whatever their visibility and without a viewer's own votes. Skips boosts, which have no content. */
export const copyStatuses = async (views: Views, ids: readonly string[]): Promise<StatusCopy[]> => {
  if (ids.length === 0) return []
  const { items, statuses } = await views.presentForAll(await views.skeleton('', ids))
  const bodies = new Map(statuses.map(({ id, body }) => [id, body]))
  return items.flatMap(({ id, reblogOfId, overlay }) => {
    const body = bodies.get(id)
    if (!body || reblogOfId) return []
    const { editedAtMilliseconds: edited, createdAtMilliseconds: created } = StatusBody.decode(body)
    const content = FormerStatus.encode({ body, poll: overlay?.poll, isDeleted: false }).finish()
    return { statusId: id, revisedAt: new Date(edited ?? created), content }
  })
}
