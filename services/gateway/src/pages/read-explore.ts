import { explorePage, type Trends } from './explore-page.ts'
import { pagerOf, partOf } from './paging.ts'
import type { PageDeps, Read } from './read.ts'
import { postsOf } from './read-posts.ts'

const MAX_POSTS = 20
const MAX_TRENDS = 5

const trendsOf = async ({ call, clients }: PageDeps): Promise<Trends> => {
  const wanted = { viewerId: '', limit: MAX_TRENDS, offset: 0, forReview: false }
  const { trends } = clients
  const [{ tags }, { links }, posts] = await Promise.all([
    trends.readTags(call, wanted),
    trends.readLinks(call, wanted),
    trends.readStatuses(call, wanted),
  ])
  return { tags, links, posts: postsOf(posts) }
}

/** Reads the page of trends and the latest public posts. */
export const readExplore: Read = async (_address, deps) => {
  const { call, frame, clients, query } = deps
  const part = partOf(query, MAX_POSTS)
  const [page, trends] = await Promise.all([
    clients.timelines.readPublic(call, { viewerId: '', local: true, page: part }),
    part.maxId === undefined ? trendsOf(deps) : undefined,
  ])
  const timeline = { posts: postsOf(page), pager: pagerOf('/explore', part, page.cursors) }
  return explorePage({ trends, timeline }, { frame, urls: clients.render.urls })
}
