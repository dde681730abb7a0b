import type { UpdatePhraseRequest } from '@rookery/contracts/statuses'
import { LONGEST_TITLE } from './filter.rules.ts'
import type { FilterChange, KeywordOfFilterRow } from './filter.store.ts'

/** The title of a filter that is known by its phrase only. */
export const titleOf = (phrase: string): string => Array.from(phrase).slice(0, LONGEST_TITLE).join('')

const isSame = (a: readonly string[], b: readonly string[]) => {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && a.every((item) => other.has(item))
}

/** irreversible is hide; what is neither given nor different leaves the action as it is, also where it is blur (beyond-the-spec 1.13). */
const actionOf = (isIrreversible: boolean | undefined, action: string): string | undefined => {
  if (isIrreversible === undefined || isIrreversible === (action === 'hide')) return undefined
  return isIrreversible ? 'hide' : 'warn'
}

/** What a changed phrase changes in its filter, as far as it is something else than it was. */
export const filterChangeOf = (
  { contexts, isIrreversible }: UpdatePhraseRequest,
  expiresAt: Date | null | undefined,
  { filter }: KeywordOfFilterRow,
): FilterChange => ({
  contexts: contexts && !isSame(contexts.names, filter.contexts) ? [...new Set(contexts.names)] : undefined,
  action: actionOf(isIrreversible, filter.action),
  expiresAt: expiresAt === null && filter.expiresAt === null ? undefined : expiresAt,
})

/** Whether anything is changed. */
export const changesAnything = (change: FilterChange): boolean => Object.values(change).some((value) => value !== undefined)
