import type { OneAtATime } from '@rookery/batching'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { InteractionsDefinition, type StatusPage } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { bookmarkStatus, unbookmarkStatus } from './bookmark-status.ts'
import { favouriteStatus, unfavouriteStatus } from './favourite-status.ts'
import { type InteractionKind, readActors, readOwnList } from './interaction.store.ts'
import { reblogStatus, unreblogStatus } from './reblog-status.ts'
import { visibleTarget } from './visible-target.ts'

type Deps = {
  database: Database<StatusesTables>
  views: Views
  outbox: Outbox
  clock: Clock
  ids: Ids
  inPostingOrder: OneAtATime<string>
  baseUrl: string
}
type ActorsRequest = { statusId: string; viewerId: string; page?: Page | undefined }
type OwnRequest = { viewerId: string; page?: Page | undefined }

/** Serves Interactions of the contract: favourites, bookmarks and boosts, and their lists. */
export const createInteractionsRpc = (deps: Deps): Handler => {
  const favourite = favouriteStatus(deps)
  const unfavourite = unfavouriteStatus(deps)
  const bookmark = bookmarkStatus(deps)
  const unbookmark = unbookmarkStatus(deps)
  const reblog = reblogStatus(deps)
  const unreblog = unreblogStatus(deps)

  const actors = async (interaction: 'favourited' | 'reblogged', { statusId, viewerId, page: wanted }: ActorsRequest) => {
    const page = pageWithin(PAGE_SIZES.people, wanted)
    const target = await visibleTarget(deps, { statusId, viewerId })
    const now = new Date(deps.clock.now())
    return deps.views.accountPage(page, (part) =>
      readActors(deps.database, interaction, { statusId: target.id, viewerId, now, page: part }),
    )
  }
  const own = (kind: InteractionKind, { viewerId, page }: OwnRequest): Promise<StatusPage> =>
    deps.views.page(viewerId, pageWithin(PAGE_SIZES.statuses, page), (part) => readOwnList(deps.database, kind, viewerId, part), 'direct')

  return handler(InteractionsDefinition, {
    favourite: (_call, request) => favourite(request),
    unfavourite: (_call, request) => unfavourite(request),
    bookmark: (_call, request) => bookmark(request),
    unbookmark: (_call, request) => unbookmark(request),
    reblog: (_call, request) => reblog(request),
    unreblog: (_call, request) => unreblog(request),
    readFavouritedBy: (_call, request) => actors('favourited', request),
    readRebloggedBy: (_call, request) => actors('reblogged', request),
    readFavourites: (_call, request) => own('favourite', request),
    readBookmarks: (_call, request) => own('bookmark', request),
  })
}
