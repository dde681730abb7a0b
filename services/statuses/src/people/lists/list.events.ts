import type { ListDeleted } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

type OwnList = { listId: string; accountId: string }
type Members = OwnList & { memberIds: string[] }

/** People came onto a list. */
export const listMembersAdded = (added: Members): OutboxEvent => ({
  key: added.accountId,
  event: { $case: 'listMembersAdded', value: added },
})

/** People are no longer on a list. */
export const listMembersRemoved = (removed: Members): OutboxEvent => ({
  key: removed.accountId,
  event: { $case: 'listMembersRemoved', value: removed },
})

/** A list shows other replies, or began or ceased to keep its members out of the home feed. */
export const listChanged = (list: OwnList): OutboxEvent => ({ key: list.accountId, event: { $case: 'listChanged', value: list } })

/** A list is gone. */
export const listDeleted = (list: ListDeleted): OutboxEvent => ({ key: list.accountId, event: { $case: 'listDeleted', value: list } })
