import { isCalendarDay } from '@rookery/runtime'
import type { TermsRow } from './terms.store.ts'

const MAX_LENGTH = 50_000
/** More versions than a server has in its life. */
const MAX_VERSIONS = 100

/** Validation errors of a new version, as sentences. Versions that already apply cannot be changed. */
export const termsFaults = ({ effectiveOn, text }: TermsRow, today: string, count: number): string[] => [
  ...(text.trim() === '' ? ["Text can't be blank"] : []),
  ...([...text].length > MAX_LENGTH ? [`Text is too long (maximum is ${MAX_LENGTH} characters)`] : []),
  ...(isCalendarDay(effectiveOn) ? [] : ['Effective date is invalid']),
  ...(isCalendarDay(effectiveOn) && effectiveOn < today ? ['Effective date must be today or later'] : []),
  ...(count >= MAX_VERSIONS ? [`There are ${MAX_VERSIONS} versions already`] : []),
]

/** The current version: the last one in effect, else the first future one. `versions` are in ascending order. */
export const currentTerms = <Version extends { effectiveOn: string }>(versions: readonly Version[], today: string): Version | undefined =>
  versions.findLast(({ effectiveOn }) => effectiveOn <= today) ?? versions[0]
