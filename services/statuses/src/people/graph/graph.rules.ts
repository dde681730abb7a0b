import { invalid } from '@rookery/failures'
import { languageCode } from '../../content/text/index.ts'

const FOLLOWS_FREE = 7500
const FOLLOWS_PER_FOLLOWER = 1.1

/** The maximum number of follows of an account: 7,500, or a tenth more than it has followers (beyond-the-spec 1.2). */
export const maxFollows = (followers: number): number => Math.max(FOLLOWS_FREE, Math.round(followers * FOLLOWS_PER_FOLLOWER))

const MAX_LANGUAGES = 100

/** The distinct language codes of a follow. @throws Failure invalid for an invalid code, or over 100 */
export const followLanguages = (typed: readonly string[]): string[] => {
  const codes = typed.map(languageCode)
  const languages = [...new Set(codes.filter((code) => code !== undefined))]
  if (codes.includes(undefined) || languages.length > MAX_LANGUAGES) throw invalid('Languages is invalid')
  return languages
}
