import type { RoleName } from '@rookery/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'

/** The current time, and the roles that may invite people. */
export type Circumstances = { now: Date; roles: readonly RoleName[] }

/**
 * Whether an invitation, `invite` in the statement, has not ended. Uses are compared too, because the clocks of two processes may differ.
 */
export const isOpen = (now: Date): RawBuilder<boolean> => sql`(
  (invite.good_until is null or invite.good_until > ${now}) and (invite.max_uses is null or invite.uses < invite.max_uses))`

/** Whether an invitation is valid for sign-up: it has not ended, and its owner, `login` in the statement, may sign in and invite people. */
export const isGood = ({ now, roles }: Circumstances): RawBuilder<boolean> => sql`(
  ${isOpen(now)} and login.role = any(${roles}::text[]) and login.confirmed_at is not null and login.approved_at is not null
  and login.disabled_at is null and login.suspended_at is null and login.memorial_at is null and login.closing_at is null)`
