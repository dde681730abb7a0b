import { invalid } from '@rookery/failures'
import { languageCode } from '../../content/text/index.ts'

const FOLLOWS_FREE = 7500
const FOLLOWS_PER_FOLLOWER = 1.1

/** How many people someone may follow: 7,500, or a tenth more than follow them (beyond-the-spec 1.2). */
export const maxFollows = (followers: number): number => Math.max(FOLLOWS_FREE, Math.round(followers * FOLLOWS_PER_FOLLOWER))

const MAX_LANGUAGES = 100

/** The languages a follow is narrowed to, each once. @throws Failure invalid for what is none, and past 100 */
export const followLanguages = (typed: readonly string[]): string[] => {
  const codes = typed.map(languageCode)
  const languages = [...new Set(codes.filter((code) => code !== undefined))]
  if (codes.includes(undefined) || languages.length > MAX_LANGUAGES) throw invalid('Languages is invalid')
  return languages
}
