import type { ReadAccountTimelineRequest, StatusPage } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { soughtTag } from '@rookery/markup'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReadPart, Views } from '../../views/index.ts'
import { readAccountExists, readAccountSkeleton } from './account.store.ts'
import { EMPTY_PAGE } from './empty-page.ts'

type Deps = { database: Database<StatusesTables>; views: Views }

/**
 * A page of an account's statuses, or of its pinned ones (spec, GET /api/v1/accounts/:id/statuses).
 * @throws Failure not_found if there is no such account
 */
export const readAccount =
  ({ database, views }: Deps) =>
  async (request: ReadAccountTimelineRequest, page: Page): Promise<StatusPage> => {
    const { viewerId, accountId, pinned, onlyMedia, excludeReplies, excludeReblogs } = request
    if (page.limit === 0) {
      orNotFound((await readAccountExists(database, { id: accountId }))[0])
      return EMPTY_PAGE
    }
    const tagged = request.tagged ? (soughtTag(request.tagged) ?? request.tagged) : undefined
    const query = { authorId: accountId, pinned, onlyMedia, excludeReplies, excludeReblogs, tagged }
    const read: ReadPart = async (part) => orNotFound(await readAccountSkeleton(database, viewerId, query, part))
    return views.page(viewerId, page, read, pinned || viewerId === accountId ? 'direct' : 'profile')
  }
