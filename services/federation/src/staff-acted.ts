import type { OutboxEvent } from '@rookery/events'

/** What staff did, for the log that auth keeps; no staffId for an operator. */
export type StaffAct = { staffId: string; action: string; target: string; text?: string }

/** Staff changed whom this server speaks with, or what it says of itself. */
export const staffActed = ({ staffId, action, target, text = '' }: StaffAct): OutboxEvent => ({
  key: staffId || target,
  event: { $case: 'staffActed', value: { staffId, action, accountId: '', reportId: '', text, target } },
})
