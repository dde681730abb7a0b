import { singleFlight } from '@rookery/batching'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type StatusPage, TimelinesDefinition } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import type { Origin } from './listing.store.ts'
import { readPublicSkeleton } from './public.store.ts'
import { readAccount } from './read-account.ts'
import { readHome } from './read-home.ts'
import { readList } from './read-list.ts'
import { readTag } from './read-tag.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/** The requested page, within the contract's sizes. */
const within = (page: Page | undefined) => pageWithin(PAGE_SIZES.statuses, page)
const keyOf = (page: Page) => `${page.maxId ?? ''},${page.sinceId ?? ''},${page.minId ?? ''},${page.limit}`

/** The requested origin; local and remote together mean neither (beyond-the-spec 1.12). */
const originOf = ({ local, remote }: { local: boolean; remote: boolean }): Origin => {
  if (local === remote) return 'everywhere'
  return local ? 'local' : 'remote'
}

/** Serves Timelines of the contract: home, list, public, tag and account timelines. Concurrent readers of the same page share one read. */
export const createTimelinesRpc = (deps: Deps): Handler => {
  const { database, views } = deps
  const home = readHome(deps)
  const list = readList(deps)
  const tag = readTag(deps)
  const account = readAccount(deps)
  const shareHome = singleFlight<StatusPage>()
  const sharePublic = singleFlight<StatusPage>()

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
    readTag: (_call, request) => tag(request, originOf(request), within(request.page)),
    readList: (_call, { viewerId, listId, page }) => list(viewerId, listId, within(page)),
    readAccount: (_call, request) => account(request, within(request.page)),
  })
}
