import type { StaffActed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Someone of the staff, or an operator, changed a report. */
export const staffActed = (act: StaffActed): OutboxEvent => ({ key: act.accountId, event: { $case: 'staffActed', value: act } })
