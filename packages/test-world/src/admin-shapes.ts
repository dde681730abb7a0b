import { flag, id, listOf, moment, nullable, object, oneOf, type Shape, text } from './shape.ts'

/** Accepts anything: other tests check these values. */
const some: Shape = () => []
const role = object({ id: text, name: text, permissions: text, color: text, highlighted: flag })
/** Admin::Account (beyond-the-spec 2.6). */
export const adminAccount = object({
  id,
  username: text,
  domain: nullable(text),
  created_at: moment,
  email: text,
  ip: nullable(text),
  ips: listOf(object({ ip: text, used_at: moment })),
  locale: nullable(text),
  invite_request: nullable(text),
  role,
  confirmed: flag,
  approved: flag,
  disabled: flag,
  silenced: flag,
  suspended: flag,
  sensitized: flag,
  account: some,
})
/** Admin::Report (beyond-the-spec 2.6). */
export const adminReport = object({
  id,
  action_taken: flag,
  action_taken_at: nullable(moment),
  category: oneOf('spam', 'legal', 'violation', 'other'),
  comment: text,
  forwarded: flag,
  created_at: moment,
  updated_at: moment,
  account: adminAccount,
  target_account: adminAccount,
  assigned_account: nullable(adminAccount),
  action_taken_by_account: nullable(adminAccount),
  statuses: listOf(some),
  deleted_status_ids: listOf(id),
  edited_statuses: listOf(some),
  rules: listOf(object({ id, text, hint: text, translations: some })),
})
