import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type ReadSuggestionsRequest, type Suggestion, SuggestionSource } from '@rookery/contracts/statuses'
import { type Database, rowsWithin } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { mostFollowed } from './most-followed.ts'
import { readSuggestionRows, type SuggestionRow } from './suggestion.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** Follows that are looked at, and follows of each: enough to rank by common follows, bounded for someone who follows 5,000. */
const MAX_NEAR = { friends: 300, ofEach: 100 }

const sourcesOf = ({ isPicked, mutuals, isPopular }: SuggestionRow): SuggestionSource[] => [
  ...(isPicked ? [SuggestionSource.FEATURED] : []),
  ...(mutuals > 0 ? [SuggestionSource.FRIENDS_OF_FRIENDS] : []),
  ...(isPopular ? [SuggestionSource.MOST_FOLLOWED] : []),
]

/**
 * Whom someone may want to follow, and why: picks of the server's operator, friends of friends, who is followed most
 * (beyond-the-spec 1.16). Two statements warm, four cold, however many people the viewer follows.
 */
export const readSuggestions = ({ database, views, clock }: Deps) => {
  const popular = mostFollowed({ database, clock })
  return async ({ viewerId, limit, offset }: ReadSuggestionsRequest): Promise<Suggestion[]> => {
    const page = { limit: rowsWithin(PAGE_SIZES.people, limit), offset }
    const rows = await readSuggestionRows(database, {
      viewerId,
      now: new Date(clock.now()),
      popular: await popular(),
      ...MAX_NEAR,
      ...page,
    })
    const accounts = new Map((await views.accounts(rows.map(({ id }) => id))).map((account) => [account.id, account]))
    return rows.flatMap((row) => {
      const account = accounts.get(row.id)
      return account ? [{ account, sources: sourcesOf(row) }] : []
    })
  }
}
