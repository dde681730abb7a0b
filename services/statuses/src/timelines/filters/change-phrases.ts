import type { CreatePhraseRequest, KeywordOfFilter, UpdatePhraseRequest } from '@rookery/contracts/statuses'
import { Failure, invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { type ChangeDeps, filterChanges } from './change-filters.ts'
import { keywordOfFilterMessage } from './filter.message.ts'
import { contextFaults, expiresAt, keywordFaults } from './filter.rules.ts'
import { changesAnything, filterChangeOf, titleOf } from './phrase.rules.ts'
import { refuseTooMany } from './refuse-too-many.ts'

type Deps = ChangeDeps & { clock: Clock }

/** Creates a filter with one keyword, which is also its title (beyond-the-spec 1.13, 2.4: POST /api/v1/filters). @throws Failure invalid */
export const createPhrase = ({ clock, ...given }: Deps) => {
  const change = filterChanges(given)
  return async (
    call: Call,
    { accountId, phrase, contexts, isIrreversible, wholeWord, expiry }: CreatePhraseRequest,
  ): Promise<KeywordOfFilter> => {
    const faults = [...keywordFaults(phrase, 'Phrase'), ...contextFaults(contexts)]
    if (faults.length > 0) throw invalid(...faults)
    return change(call, accountId, async (filters) => {
      const filter = {
        title: titleOf(phrase),
        contexts: [...new Set(contexts)],
        action: isIrreversible ? 'hide' : 'warn',
        expiresAt: expiresAt(expiry, clock.now()) ?? null,
      }
      const [keyword] = await filters.addKeywords(await filters.add(accountId, filter), [{ keyword: phrase, wholeWord }])
      await refuseTooMany(filters, accountId)
      return keywordOfFilterMessage(orNotFound(await filters.keyword({ id: keyword!.id, accountId })))
    })
  }
}

const faultsOf = ({ phrase, contexts }: UpdatePhraseRequest): string[] => [
  ...(phrase === undefined ? [] : keywordFaults(phrase, 'Phrase')),
  ...(contexts ? contextFaults(contexts.names) : []),
]

/**
 * Changes a keyword, and its filter if that has no other (beyond-the-spec 1.13, 2.4: PUT /api/v1/filters/:id). A title equal to the phrase changes
 * with it.
 * @throws Failure not_found; invalid, also for a change of the filter that would affect other keywords
 */
export const updatePhrase = ({ clock, ...given }: Deps) => {
  const change = filterChanges(given)
  return (call: Call, request: UpdatePhraseRequest): Promise<KeywordOfFilter> => {
    const { id, accountId, phrase, wholeWord, expiry } = request
    return change(call, accountId, async (filters) => {
      const known = orNotFound(await filters.keyword({ id, accountId }), `keyword ${id} is not ${accountId}'s`)
      const faults = faultsOf(request)
      if (faults.length > 0) throw invalid(...faults)
      const filterChange = filterChangeOf(request, expiresAt(expiry, clock.now()), known)
      const isAlone = known.siblings === 1
      if (!isAlone && changesAnything(filterChange)) {
        throw new Failure('invalid', 'Context, expiry and irreversible belong to several keywords and cannot be changed for one of them')
      }
      const wasTitle = isAlone && known.filter.title === titleOf(known.keyword)
      await filters.changeKeywords([{ id, keyword: phrase, wholeWord }])
      await filters.change(known.filter.id, { ...filterChange, title: wasTitle && phrase !== undefined ? titleOf(phrase) : undefined })
      await refuseTooMany(filters, accountId)
      return keywordOfFilterMessage(orNotFound(await filters.keyword({ id, accountId })))
    })
  }
}
