import type { TokenHolder } from '@rookery/contracts/auth'
import { isRoleName, type RoleName } from '@rookery/contracts/permissions'

/** The role of whoever holds a token. */
export const roleOf = (holder: TokenHolder | undefined): RoleName => {
  const name = holder?.role ?? ''
  return isRoleName(name) ? name : 'user'
}
