import { isRoleName, mayChangeRole, RANKS, ROLES, type RoleHolder, type RoleName } from '@rookery/contracts/permissions'
import type { AdminAccount } from './entities.ts'

/** The role of a name; `user` for unknown names. */
export const roleNamed = (name: string): RoleName => (isRoleName(name) ? name : 'user')

/** The role of an Admin::Account; `user` for accounts of other servers. */
export const roleOf = ({ role }: Pick<AdminAccount, 'role'>): RoleName => RANKS.find((name) => ROLES[name].id === role?.id) ?? 'user'

/** The roles that the actor may give an account: pages offer only what auth accepts. */
export const rolesToGive = (actor: RoleHolder, target: RoleHolder): RoleName[] => RANKS.filter((role) => mayChangeRole(actor, target, role))
