import type { ListDeleted } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

type OwnList = { listId: string; accountId: string }
type Members = OwnList & { memberIds: string[] }

/** People came onto a list. */
export const listMembersAdded = (added: Members): KeyedFact => ({
  key: added.accountId,
  fact: { $case: 'listMembersAdded', value: added },
})

/** People are no longer on a list. */
export const listMembersRemoved = (removed: Members): KeyedFact => ({
  key: removed.accountId,
  fact: { $case: 'listMembersRemoved', value: removed },
})

/** A list shows other replies, or began or ceased to keep its members out of the home feed. */
export const listChanged = (list: OwnList): KeyedFact => ({ key: list.accountId, fact: { $case: 'listChanged', value: list } })

/** A list is gone. */
export const listDeleted = (list: ListDeleted): KeyedFact => ({ key: list.accountId, fact: { $case: 'listDeleted', value: list } })
