import type { FindRequest, StatusPage } from '@rookery/contracts/statuses'
import { type Database, MAX_ID } from '@rookery/database'
import { compareIds, idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { handleIn } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { type Authors, anyWord, everyWord, isSelective, parseQuery, type StatusQuery, wholeWords } from './query.rules.ts'
import type { AccountNames } from './search-candidates.store.ts'
import { statusFinder } from './status-search.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock; baseUrl: string }

const NOTHING: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }

const lowest = (ids: readonly string[]) => ids.toSorted(compareIds)[0]
const highest = (ids: readonly string[]) => ids.toSorted(compareIds).at(-1)

/** A handle as the store compares it: with a domain for remote accounts. */
const wholeHandle = (typed: string, baseUrl: string): string[] => {
  const handle = handleIn(typed, baseUrl)
  if (!handle) return []
  const username = handle.username.toLowerCase()
  return [handle.domain === undefined ? username : `${username}@${handle.domain}`]
}

/** The exclusive bounds of ids: from the page and from the requested times. */
const boundsOf = ({ since, until }: StatusQuery, { maxId, minId }: FindRequest) => ({
  below: lowest([MAX_ID, ...(maxId ? [maxId] : []), ...(until === undefined ? [] : [idAtTime(until)])])!,
  above: highest(['0', ...(minId ? [minId] : []), ...(since === undefined ? [] : [(BigInt(idAtTime(since)) - 1n).toString()])])!,
})

/**
 * Searches statuses the viewer wrote or interacted with, and public ones of indexable authors (beyond-the-spec 1.16), all visible to the viewer.
 * Anonymous viewers find none.
 */
export const searchStatuses = ({ database, views, clock, baseUrl }: Deps) => {
  const findStatuses = statusFinder(database)
  const namesOf = ({ me, handles }: Authors, viewerId: string): AccountNames => ({
    handles: handles.flatMap((handle) => wholeHandle(handle, baseUrl)),
    ids: me ? [viewerId] : [],
  })

  const authorsOf = ({ from }: StatusQuery, { accountId, viewerId }: FindRequest): AccountNames | undefined => {
    if (from) return namesOf(from, viewerId)
    return accountId ? { handles: [], ids: [accountId] } : undefined
  }

  return async (request: FindRequest): Promise<StatusPage> => {
    const { viewerId } = request
    const query = parseQuery(request.text)
    if (!viewerId || !isSelective(query)) return NOTHING
    const unwanted = anyWord(query.unwantedWords)
    const skeleton = await findStatuses({
      ...boundsOf(query, request),
      viewerId,
      now: new Date(clock.now()),
      order: request.minId ? 'asc' : 'desc',
      limit: request.limit,
      offset: request.offset,
      words: everyWord(query.words),
      unwantedWords: unwanted.words,
      wholeWords: wholeWords(query.words),
      unwantedWholeWords: unwanted.wholeWords,
      authors: authorsOf(query, request),
      onlyAuthorId: request.accountId || null,
      unwantedAuthors: namesOf(query.notFrom, viewerId),
      having: query.having,
      notHaving: query.notHaving,
      languages: query.languages,
      notLanguages: query.notLanguages,
      inLibrary: query.scope !== 'public',
      inPublic: query.scope !== 'library',
    })
    return views.present(viewerId, skeleton, 'timeline')
  }
}
