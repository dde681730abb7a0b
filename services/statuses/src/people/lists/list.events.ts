import type { ListDeleted } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

type OwnList = { listId: string; accountId: string }
type Members = OwnList & { memberIds: string[] }

/** Accounts were added to a list. */
export const listMembersAdded = (added: Members): OutboxEvent => ({
  key: added.accountId,
  event: { $case: 'listMembersAdded', value: added },
})

/** Accounts were removed from a list. */
export const listMembersRemoved = (removed: Members): OutboxEvent => ({
  key: removed.accountId,
  event: { $case: 'listMembersRemoved', value: removed },
})

/** A list's replies policy or exclusivity changed. */
export const listChanged = (list: OwnList): OutboxEvent => ({ key: list.accountId, event: { $case: 'listChanged', value: list } })

/** A list was deleted. */
export const listDeleted = (list: ListDeleted): OutboxEvent => ({ key: list.accountId, event: { $case: 'listDeleted', value: list } })
