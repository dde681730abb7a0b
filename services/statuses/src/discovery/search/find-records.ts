import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { Findings, FindRequest } from '@rookery/contracts/statuses'
import { type Database, rowsWithin } from '@rookery/database'
import { normaliseTag } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import { isAddress } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { type Resolved, resolveAddress } from './resolve-address.ts'
import { searchAccounts } from './search-accounts.ts'
import { searchStatuses } from './search-statuses.ts'
import { searchTags } from './search-tags.ts'

const beginsAsTag = (text: string): boolean => /^[#＃]/.test(text)

/** Whether a text is a hashtag with its sign, and nothing else. */
const isHashtag = (text: string): boolean => beginsAsTag(text) && normaliseTag(text) !== undefined

/** The requested kinds of records that a text may find. */
const kindsFor = (text: string, asked: FindRequest) => ({
  accounts: asked.accounts && !isAddress(text) && !beginsAsTag(text),
  statuses: asked.statuses && !isHashtag(text),
  tags: asked.tags && !text.startsWith('@'),
})

/** The requested kinds of what a URL resolves to. */
const amongAsked = ({ accounts, statuses }: Resolved, asked: FindRequest): Findings => ({
  accounts: asked.accounts ? accounts : [],
  statuses: asked.statuses ? statuses : undefined,
  tags: [],
})

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock; baseUrl: string }

/**
 * Finds accounts, statuses and tags (beyond-the-spec 1.16, 2.4). A URL to be resolved finds only what it addresses; a hashtag finds only hashtags; a
 * text that begins as a tag finds no accounts, and one that begins as a handle no tags.
 */
export const findRecords = (deps: Deps) => {
  const accounts = searchAccounts(deps)
  const statuses = searchStatuses(deps)
  const tags = searchTags(deps)
  const resolve = resolveAddress(deps)
  return async (asked: FindRequest): Promise<Findings> => {
    // A search for accounts only has the largest pages.
    const isOfPeople = asked.accounts && !asked.statuses && !asked.tags
    const request = { ...asked, limit: rowsWithin(isOfPeople ? PAGE_SIZES.people : PAGE_SIZES.found, asked.limit) }
    const text = request.text.trim()
    if (request.resolve && isAddress(text)) {
      return amongAsked(await resolve(text, request.viewerId), request)
    }
    const kinds = kindsFor(text, asked)
    const [foundAccounts, foundStatuses, foundTags] = await Promise.all([
      kinds.accounts ? accounts(request) : [],
      kinds.statuses ? statuses(request) : undefined,
      kinds.tags ? tags(request) : [],
    ])
    return { accounts: foundAccounts, statuses: foundStatuses, tags: foundTags }
  }
}
