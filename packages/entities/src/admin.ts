import type { StaffLogin } from '@rookery/contracts/auth'
import { type Inviters, isRoleName, permissionsOf } from '@rookery/contracts/permissions'
import { AccountBody, type AccountView, type StaffReport } from '@rookery/contracts/statuses'
import { roleEntity } from './credential-account.ts'
import { jsonWith } from './json-with.ts'
import { reportEntity } from './report.ts'
import { timestamp } from './timestamp.ts'

/** The login part of an Admin::Account; with empty values for an account without a login. */
const loginEntity = (login: StaffLogin | undefined, inviters: Inviters) => ({
  email: login?.email ?? '',
  ip: login?.address || null,
  ips: login?.address ? [{ ip: login.address, used_at: timestamp(login.createdAtMilliseconds) }] : [],
  locale: login?.locale ?? null,
  invite_request: login?.reason || null,
  role: login && isRoleName(login.role) ? roleEntity({ name: login.role, permissions: permissionsOf(login.role, inviters) }) : null,
  confirmed: login?.isConfirmed ?? false,
  approved: login?.isApproved ?? false,
  disabled: login?.isDisabled ?? false,
  ...(login?.appNumber === undefined ? {} : { created_by_application_id: String(login.appNumber) }),
  ...(login?.inviterId && { invited_by_account_id: login.inviterId }),
})

/** The parts of an Admin::Account besides the login: the account's JSON, and the roles that may invite people. */
type AdminAccountParts = { account: Buffer; inviters: Inviters }

/** Admin::Account (beyond-the-spec 2.6). */
export const adminAccountJson = (view: AccountView, login: StaffLogin | undefined, { account, inviters }: AdminAccountParts): Buffer => {
  const { id, username, origin, createdAtMilliseconds, isLimited, isSuspended } = AccountBody.decode(view.body)
  const entity = {
    id,
    username,
    domain: origin?.domain ?? null,
    created_at: timestamp(createdAtMilliseconds),
    ...loginEntity(login, inviters),
    silenced: isLimited,
    suspended: isSuspended,
    sensitized: view.isSensitized ?? false,
  }
  return jsonWith(entity, { account })
}

/** The JSON of the accounts, statuses and rules of an Admin::Report; undefined becomes null. */
type AdminReportParts = {
  account: Buffer
  target_account: Buffer
  assigned_account: Buffer | undefined
  action_taken_by_account: Buffer | undefined
  /** Those that were deleted since as the report found them. */
  statuses: Buffer
  deleted_status_ids: Buffer
  /** Those that were edited since as the report found them. */
  edited_statuses: Buffer
  rules: Buffer
}

/** Admin::Report (beyond-the-spec 2.6). */
export const adminReportJson = ({ report, updatedAtMilliseconds }: StaffReport, parts: AdminReportParts): Buffer => {
  if (!report) throw new Error('a report for staff without a report')
  const { status_ids: _statuses, rule_ids: _rules, ...entity } = reportEntity(report)
  return jsonWith({ ...entity, updated_at: timestamp(updatedAtMilliseconds) }, parts)
}
