import { BATCHES } from '@rookery/contracts/limits'
import type { ReadTagRequest, StatusPage } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { notFound, orNotFound } from '@rookery/failures'
import { soughtTag } from '@rookery/markup'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { EMPTY_PAGE } from './empty-page.ts'
import type { Origin } from './listing.store.ts'
import { readTagExists, readTagSkeleton } from './tag.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views }

/** The normalised names of the first few typed tags; invalid ones are left out. */
const tagsOf = (typed: readonly string[]) => typed.slice(0, BATCHES.tagsOfTimeline).flatMap((name) => soughtTag(name) ?? [])

/** A page of a tag's timeline (beyond-the-spec 1.12). @throws Failure not_found for an invalid or never used tag */
export const readTag =
  ({ database, views }: Deps) =>
  async (request: ReadTagRequest, origin: Origin, page: Page): Promise<StatusPage> => {
    const name = orNotFound(soughtTag(request.name), `${request.name} is no tag`)
    const { viewerId, onlyMedia } = request
    if (page.limit === 0) {
      orNotFound((await readTagExists(database, { name }))[0], `no one used the tag ${name}`)
      return EMPTY_PAGE
    }
    const tags = { any: [name, ...tagsOf(request.any)], all: tagsOf(request.all), none: tagsOf(request.none) }
    return views.page(viewerId, page, async (part) => {
      const { skeleton, isKnown } = await readTagSkeleton(database, viewerId, { name, ...tags, onlyMedia, origin }, part)
      if (!isKnown) throw notFound(`no one used the tag ${name}`)
      return skeleton
    })
  }
