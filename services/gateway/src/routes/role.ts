import type { TokenHolder } from '@rookery/contracts/auth'
import { isRoleName } from '@rookery/contracts/permissions'
import type { HeldRole } from '@rookery/entities'

/** The role of a token's holder, with its permissions on this server. */
export const roleOf = (holder: TokenHolder | undefined): HeldRole => {
  const { role = '', permissions = 0 } = holder ?? {}
  return { name: isRoleName(role) ? role : 'user', permissions }
}
