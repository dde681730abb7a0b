import { isRoleName, type RoleName } from '@rookery/contracts/permissions'
import { invalid } from '@rookery/failures'

/** Parses a role; an empty text is the role user. @throws Failure invalid */
export const roleOf = (text: string): RoleName => {
  const name = text || 'user'
  if (!isRoleName(name)) throw invalid(`Role ${name} is not user, moderator, admin or owner`)
  return name
}
