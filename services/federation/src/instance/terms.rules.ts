import { isCalendarDay } from '@rookery/runtime'
import type { TermsRow } from './terms.store.ts'

const MAX_LENGTH = 50_000
/** As many versions as a server has in its life. */
const MAX_VERSIONS = 100

/** What keeps a version from being published, in sentences. Versions that hold already stay as they are. */
export const termsFaults = ({ effectiveOn, text }: TermsRow, today: string, count: number): string[] => [
  ...(text.trim() === '' ? ["Text can't be blank"] : []),
  ...([...text].length > MAX_LENGTH ? [`Text is too long (maximum is ${MAX_LENGTH} characters)`] : []),
  ...(isCalendarDay(effectiveOn) ? [] : ['Effective date is invalid']),
  ...(isCalendarDay(effectiveOn) && effectiveOn < today ? ['Effective date must be today or later'] : []),
  ...(count >= MAX_VERSIONS ? [`There are ${MAX_VERSIONS} versions already`] : []),
]

/** The version that holds: the last whose day has come, else the first that will hold. `versions` have the earliest day first. */
export const currentTerms = <Version extends { effectiveOn: string }>(versions: readonly Version[], today: string): Version | undefined =>
  versions.findLast(({ effectiveOn }) => effectiveOn <= today) ?? versions[0]
