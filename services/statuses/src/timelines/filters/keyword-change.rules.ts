import type { KeywordChange } from '@rookery/contracts/statuses'
import { keywordFaults } from './filter.rules.ts'

/** Changes of a filter's keywords, by kind. */
export type KeywordPlan = {
  added: { keyword: string; wholeWord: boolean }[]
  changed: { id: string; keyword: string | undefined; wholeWord: boolean | undefined }[]
  removedIds: string[]
}

/** New entries that are empty, or removed at once, are ignored; of several entries with one id the last counts. */
const isEmpty = ({ keyword, wholeWord, isRemoved }: KeywordChange) => isRemoved || (keyword === undefined && wholeWord === undefined)

/** Sorts changes by kind (spec, PUT /api/v2/filters/:id). A new keyword is a whole word by default. */
export const planOf = (changes: readonly KeywordChange[]): KeywordPlan => {
  const named = [...new Map(changes.filter(({ id }) => id).map((change) => [change.id, change])).values()]
  return {
    added: changes.filter((change) => !change.id && !isEmpty(change)).map(({ keyword = '', wholeWord = true }) => ({ keyword, wholeWord })),
    changed: named.filter(({ isRemoved }) => !isRemoved).map(({ id, keyword, wholeWord }) => ({ id, keyword, wholeWord })),
    removedIds: named.filter(({ isRemoved }) => isRemoved).map(({ id }) => id),
  }
}

/** The ids of keywords that must exist for a plan. */
export const namedIds = ({ changed, removedIds }: KeywordPlan): string[] => [...changed.map(({ id }) => id), ...removedIds]

/** The faults of the keywords in a plan. */
export const planFaults = ({ added, changed }: KeywordPlan): string[] =>
  [...added, ...changed].flatMap(({ keyword }) => (keyword === undefined ? [] : keywordFaults(keyword, 'Keywords keyword')))
