import type { Cache } from '@rookery/cache'
import type { StatusPage } from '@rookery/contracts/statuses'
import type { Clock } from '@rookery/runtime'
import { isBystander, isShown, type Judgement } from '../audience/index.ts'
import type { accountMoves } from './account-views.ts'
import type { cardAuthorFinder } from './hydrate/card-authors.ts'
import type { hydrateContexts, ViewerContext } from './hydrate/context.ts'
import type { statusTexts } from './hydrate/texts.ts'
import type { VersionedCache } from './hydrate/versioned.ts'
import type { AccountEntry } from './present/account.ts'
import { presentPage } from './present/page.ts'
import { type QuoteViewer, quotedHead, STRANGER } from './present/quote.ts'
import type { StatusEntry } from './present/status.ts'
import { holdsUntil } from './shared-pages.ts'
import type { Skeleton } from './skeleton.store.ts'
import { isWithoutFlags } from './viewer-flags.store.ts'

/** The versions of all records on a page: its statuses, the boosted and quoted ones, and their authors. */
const shownVersions = (skeleton: Skeleton, shown: readonly string[]) => {
  const statuses = new Map<string, number>()
  const accounts = new Map<string, number>()
  for (const id of shown) {
    const target = skeleton.heads.get(id)?.reblogOfId ?? id
    for (const head of [skeleton.heads.get(id), skeleton.heads.get(target), quotedHead(target, skeleton)]) {
      if (!head) continue
      statuses.set(head.id, head.version)
      accounts.set(head.authorId, head.authorVersion)
    }
  }
  return { statuses, accounts }
}

/** The page of one viewer, presented from these heads; valid until a time, in milliseconds since 1970. */
export type PresentedPage = { heads: Skeleton['heads']; page: StatusPage; until: number }

/** An estimate of an item's bytes beside the bodies: its viewer state, its head and the views. */
const ITEM_BYTES = 2000

/** The bytes that a presented page keeps alive. Its bodies can be long: a status of another server may have a hundred thousand characters. */
export const presentedBytes = ({ page: { items, statuses, accounts } }: PresentedPage): number =>
  [...statuses, ...accounts].reduce((sum, { body }) => sum + body.length, items.length * ITEM_BYTES)

type PresenterParts = {
  contexts: ReturnType<typeof hydrateContexts>
  statuses: VersionedCache<StatusEntry>
  accounts: VersionedCache<AccountEntry>
  followMoves: ReturnType<typeof accountMoves>
  findCardAuthors: ReturnType<typeof cardAuthorFinder>
  textOf: ReturnType<typeof statusTexts>
  pages: Cache<PresentedPage>
  clock: Clock
}

type Reading = { reader: QuoteViewer; filters: ViewerContext['filters'] }

/** Makes pages from skeletons: rules decide what is shown; bodies and accounts come from the cache if new enough. */
export const createPresenter = ({ contexts, statuses, accounts, followMoves, findCardAuthors, textOf, pages, clock }: PresenterParts) => {
  const contextOf = (viewerId: string, { contextVersion }: Skeleton) => contexts.of(viewerId, contextVersion)

  const shownIn = (viewerId: string, skeleton: Skeleton, judgement: Judgement, context: ViewerContext) =>
    skeleton.ids.filter((id) => isShown(id, skeleton, viewerId, context, judgement))

  const hydrate = async (viewerId: string, skeleton: Skeleton, shown: readonly string[], reading: Reading) => {
    const wanted = shownVersions(skeleton, shown)
    const [foundStatuses, foundAccounts] = await Promise.all([
      statuses.hydrate(wanted.statuses),
      accounts.hydrate(wanted.accounts).then(followMoves),
    ])
    const cardAuthors = await findCardAuthors([...foundStatuses.values()])
    const parts = { skeleton, statuses: foundStatuses, accounts: foundAccounts, cardAuthors, ...reading, textOf, now: clock.now() }
    return presentPage(shown, viewerId, parts)
  }

  const presentFor = (viewerId: string, skeleton: Skeleton, judgement: Judgement, context: ViewerContext) => {
    const shown = shownIn(viewerId, skeleton, judgement, context)
    return hydrate(viewerId, skeleton, shown, { reader: { id: viewerId, blocks: context }, filters: context.filters })
  }

  /** Whether the viewer's page is the same as that of all viewers without a relationship to it. */
  const isShared = (viewerId: string, skeleton: Skeleton, context: ViewerContext): boolean =>
    isWithoutFlags(skeleton) && !context.filters && isBystander(skeleton, viewerId, context)

  /** The page that was presented from this skeleton before, unless what time alone changes has changed; otherwise a new one. */
  const presentOnce = async (key: string, { heads }: Skeleton, context: ViewerContext, make: () => Promise<StatusPage>) => {
    const now = clock.now()
    const known = pages.get(key, (each) => each.heads === heads && each.until > now)
    if (known) return known.page
    const page = await make()
    pages.set(key, { heads, page, until: Math.min(context.until, holdsUntil(page)) })
    return page
  }

  return {
    /** The ids of a skeleton that the viewer may see, in order. */
    shown: async (viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<string[]> =>
      shownIn(viewerId, skeleton, judgement, await contextOf(viewerId, skeleton)),

    /**
     * Presents a skeleton as a page, once for a remembered page of one viewer. Most readers of a popular page have no relationship to it, and share
     * the page made for the first of them.
     */
    async present(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<StatusPage> {
      const { shared, key } = skeleton
      const context = await contextOf(viewerId, skeleton)
      const make = () => presentFor(viewerId, skeleton, judgement, context)
      if (key) return presentOnce(`${judgement} ${key}`, skeleton, context, make)
      if (!shared || !isShared(viewerId, skeleton, context)) return make()
      return shared.take(viewerId ? judgement : `${judgement} without an account`, clock.now(), make)
    },

    /** Presents a skeleton as a page for an anonymous reader; the caller checks the audience. */
    presentForAll: (skeleton: Skeleton): Promise<StatusPage> =>
      hydrate('', skeleton, skeleton.ids, { reader: STRANGER, filters: undefined }),
  }
}
