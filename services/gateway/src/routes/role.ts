import type { TokenHolder } from '@rookery/contracts/auth'
import { isRoleName, type RoleName } from '@rookery/contracts/permissions'

/** The role of a token's holder. */
export const roleOf = (holder: TokenHolder | undefined): RoleName => {
  const name = holder?.role ?? ''
  return isRoleName(name) ? name : 'user'
}
