import type { UpdatePhraseRequest } from '@rookery/contracts/statuses'
import { LONGEST_TITLE } from './filter.rules.ts'
import type { FilterChange, KeywordOfFilterRow } from './filter.store.ts'

/** The title of a filter that was created by its phrase only. */
export const titleOf = (phrase: string): string => Array.from(phrase).slice(0, LONGEST_TITLE).join('')

const isSame = (a: readonly string[], b: readonly string[]) => {
  const [one, other] = [new Set(a), new Set(b)]
  return one.size === other.size && a.every((item) => other.has(item))
}

/** Irreversible means hide; if it is not given or unchanged, the action stays, even if it is blur (beyond-the-spec 1.13). */
const actionOf = (isIrreversible: boolean | undefined, action: string): string | undefined => {
  if (isIrreversible === undefined || isIrreversible === (action === 'hide')) return undefined
  return isIrreversible ? 'hide' : 'warn'
}

/** The changes of a filter that a changed phrase implies, where values differ. */
export const filterChangeOf = (
  { contexts, isIrreversible }: UpdatePhraseRequest,
  expiresAt: Date | null | undefined,
  { filter }: KeywordOfFilterRow,
): FilterChange => ({
  contexts: contexts && !isSame(contexts.names, filter.contexts) ? [...new Set(contexts.names)] : undefined,
  action: actionOf(isIrreversible, filter.action),
  expiresAt: expiresAt === null && filter.expiresAt === null ? undefined : expiresAt,
})

/** Whether a change has any value. */
export const changesAnything = (change: FilterChange): boolean => Object.values(change).some((value) => value !== undefined)
