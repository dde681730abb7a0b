import type { OutboxEvent } from '@rookery/events'

/** An action of staff for the audit log that auth stores; staffId is empty for an operator. */
export type StaffAct = { staffId: string; action: string; target: string; text?: string }

/** Staff changed domain blocks, allows or instance settings. */
export const staffActed = ({ staffId, action, target, text = '' }: StaffAct): OutboxEvent => ({
  key: staffId || target,
  event: { $case: 'staffActed', value: { staffId, action, accountId: '', reportId: '', text, target } },
})
