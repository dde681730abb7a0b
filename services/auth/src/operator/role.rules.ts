import { isRoleName, type RoleName } from '@rookery/contracts/permissions'
import { invalid } from '@rookery/failures'

/** The role a text names; nothing names everyone's. @throws Failure invalid */
export const roleOf = (text: string): RoleName => {
  const name = text || 'user'
  if (!isRoleName(name)) throw invalid(`Role ${name} is not user, moderator, admin or owner`)
  return name
}
