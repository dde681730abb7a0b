import { singleFlight } from '@rookery/batching'
import { BATCHES, PAGE_SIZES } from '@rookery/contracts/limits'
import { type ReadAccountTimelineRequest, type ReadTagRequest, type StatusPage, TimelinesDefinition } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import { notFound, orNotFound } from '@rookery/failures'
import { normaliseTag } from '@rookery/markup'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { readAccountExists, readAccountSkeleton, readPinnedSkeleton } from './account.store.ts'
import type { Origin } from './listing.store.ts'
import { readPublicSkeleton } from './public.store.ts'
import { readHome } from './read-home.ts'
import { readList } from './read-list.ts'
import { readTagExists, readTagSkeleton } from './tag.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** The page that is wanted, within the contract's sizes. */
const within = (page: Page | undefined) => pageWithin(PAGE_SIZES.statuses, page)
const EMPTY: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }
const keyOf = (page: Page) => `${page.maxId ?? ''},${page.sinceId ?? ''},${page.minId ?? ''},${page.limit}`

/** Whose statuses are wanted: local and remote both is neither (beyond-the-spec 1.12). */
const originOf = ({ local, remote }: { local: boolean; remote: boolean }): Origin => {
  if (local === remote) return 'everywhere'
  return local ? 'local' : 'remote'
}

/** Normalised names of the tags typed, of the first few; those that are none are dropped. */
const tagsOf = (typed: readonly string[]) => typed.slice(0, BATCHES.tagsOfTimeline).flatMap((name) => normaliseTag(name) ?? [])

/** Home, list, public, tag and account timelines. Readers of the same page at the same moment share one read. */
export const createTimelinesRpc = (deps: Deps): Handler => {
  const { database, views } = deps
  const home = readHome(deps)
  const list = readList(deps)
  const shareHome = singleFlight<StatusPage>()
  const sharePublic = singleFlight<StatusPage>()

  const readTag = async (request: ReadTagRequest): Promise<StatusPage> => {
    const name = orNotFound(normaliseTag(request.name), `${request.name} is no tag`)
    const { viewerId } = request
    const page = within(request.page)
    if (page.limit === 0) {
      orNotFound((await readTagExists(database, { name }))[0], `no one used the tag ${name}`)
      return EMPTY
    }
    const query = {
      name,
      any: [name, ...tagsOf(request.any)],
      all: tagsOf(request.all),
      none: tagsOf(request.none),
      onlyMedia: request.onlyMedia,
      origin: originOf(request),
    }
    return views.page(viewerId, page, async (part) => {
      const { skeleton, isKnown } = await readTagSkeleton(database, viewerId, query, part)
      if (!isKnown) throw notFound(`no one used the tag ${name}`)
      return skeleton
    })
  }

  const readAccount = async (request: ReadAccountTimelineRequest): Promise<StatusPage> => {
    const { viewerId, accountId } = request
    const page = within(request.page)
    if (page.limit === 0) {
      orNotFound((await readAccountExists(database, { id: accountId }))[0])
      return EMPTY
    }
    const pinned: ReadPart = async (part) => orNotFound(await readPinnedSkeleton(database, viewerId, accountId, part))
    if (request.pinned) return views.page(viewerId, page, pinned, 'direct')
    const query = {
      authorId: accountId,
      onlyMedia: request.onlyMedia,
      excludeReplies: request.excludeReplies,
      excludeReblogs: request.excludeReblogs,
      tagged: request.tagged ? (normaliseTag(request.tagged) ?? request.tagged) : undefined,
    }
    return views.page(viewerId, page, async (part) => orNotFound(await readAccountSkeleton(database, viewerId, query, part)), 'direct')
  }

  return handler(TimelinesDefinition, {
    readHome: (_call, { viewerId, page: wanted }) => {
      const page = within(wanted)
      return shareHome(`${viewerId}:${keyOf(page)}`, () => home(viewerId, page))
    },
    readPublic: async (_call, { viewerId, local, remote, onlyMedia, page: wanted }) => {
      const page = within(wanted)
      const origin = originOf({ local, remote })
      return sharePublic(`${viewerId}:${origin}:${onlyMedia}:${keyOf(page)}`, () =>
        views.page(viewerId, page, (part) => readPublicSkeleton(database, { viewerId, onlyMedia, origin }, part)),
      )
    },
    readTag: (_call, request) => readTag(request),
    readList: (_call, { viewerId, listId, page }) => list(viewerId, listId, within(page)),
    readAccount: (_call, request) => readAccount(request),
  })
}
