import type { RoleName } from '@rookery/contracts/permissions'
import { type RawBuilder, sql } from 'kysely'

/** The moment, and the roles of those who may invite people. */
export type Circumstances = { now: Date; roles: readonly RoleName[] }

/** Whether an invitation, called `invite` in the statement, is not over. Uses are compared too: the clocks of two who use one at once differ. */
export const isOpen = (now: Date): RawBuilder<boolean> => sql`(
  (invite.good_until is null or invite.good_until > ${now}) and (invite.max_uses is null or invite.uses < invite.max_uses))`

/** Whether someone may sign up by an invitation: it is not over, and whose it is, called `login`, may sign in and invite people. */
export const isGood = ({ now, roles }: Circumstances): RawBuilder<boolean> => sql`(
  ${isOpen(now)} and login.role = any(${roles}::text[]) and login.confirmed_at is not null and login.approved_at is not null
  and login.disabled_at is null and login.suspended_at is null and login.memorial_at is null and login.closing_at is null)`
