import { isRoleName, mayChangeRole, RANKS, ROLES, type RoleHolder, type RoleName } from '@rookery/contracts/permissions'
import type { AdminAccount } from './entities.ts'

/** The role of a name; everyone's for any other. */
export const roleNamed = (name: string): RoleName => (isRoleName(name) ? name : 'user')

/** The role of an account as staff read it; of another server's, everyone's. */
export const roleOf = ({ role }: Pick<AdminAccount, 'role'>): RoleName => RANKS.find((name) => ROLES[name].id === role?.id) ?? 'user'

/** The roles that someone may give an account: pages offer no more than auth does. */
export const rolesToGive = (actor: RoleHolder, target: RoleHolder): RoleName[] => RANKS.filter((role) => mayChangeRole(actor, target, role))
