import { pagerOf, partOf } from './paging.ts'
import type { Read } from './read.ts'
import { postsOf } from './read-posts.ts'
import { filesOfTimeline, timelinePart } from './timeline.ts'

const MAX_POSTS = 20

/** The page of the latest public posts. */
export const readExplore: Read = async (_address, { call, frame, clients, query }) => {
  const { timelines, render } = clients
  const part = partOf(query, MAX_POSTS)
  const page = await timelines.readPublic(call, { viewerId: '', local: true, page: part })
  const timeline = { posts: postsOf(page), pager: pagerOf('/explore', part, page.cursors) }
  return {
    status: 200,
    title: frame.texts.nav.explore,
    lead: frame.texts.explore.lead,
    body: timelinePart(timeline, { frame, urls: render.urls }),
    files: filesOfTimeline(timeline, render.urls),
  }
}
