import { pagerOf, partOf } from './paging.ts'
import type { Read } from './read.ts'
import { postsOf } from './read-posts.ts'
import { tagPage } from './tag-page.ts'

const MAX_POSTS = 20

/** The page of a hashtag with its latest public posts. */
export const readTagPosts: Read = async ({ tag: typed = '' }, { call, frame, clients, query }) => {
  const { tags, timelines, render } = clients
  const part = partOf(query, MAX_POSTS)
  const [tag, page] = await Promise.all([
    tags.read(call, { name: typed, viewerId: '' }),
    timelines.readTag(call, { viewerId: '', name: typed, page: part }),
  ])
  const timeline = { posts: postsOf(page), pager: pagerOf(render.urls.tag(tag.name), part, page.cursors) }
  return tagPage({ tag, timeline }, { frame, urls: render.urls })
}
