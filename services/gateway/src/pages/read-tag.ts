import { notFound } from '@rookery/failures'
import { failureOf } from '@rookery/http'
import { normaliseTag } from '@rookery/markup'
import { faultPage } from './page.ts'
import { pagerOf, partOf } from './paging.ts'
import type { Read } from './read.ts'
import { postsOf } from './read-posts.ts'
import { tagPage } from './tag-page.ts'

const MAX_POSTS = 20

/** Turns a not_found failure into undefined. @throws everything else */
const unlessMissing = (error: unknown): undefined => {
  if (failureOf(error).kind !== 'not_found') throw error
}

/** Reads the page of a hashtag with its latest public posts. */
export const readTagPosts: Read = async ({ tag: typed = '' }, { call, frame, clients, query }) => {
  const { tags, timelines, render } = clients
  const part = partOf(query, MAX_POSTS)
  if (!normaliseTag(typed)) throw notFound(`${typed} is no tag`)
  const found = await Promise.all([
    tags.read(call, { name: typed, viewerId: '' }),
    timelines.readTag(call, { viewerId: '', name: typed, page: part }),
  ]).catch(unlessMissing)
  if (!found) return faultPage(404, frame.texts.tag.unused, frame)
  const [tag, page] = found
  const timeline = { posts: postsOf(page), pager: pagerOf(render.urls.tag(tag.name), part, page.cursors) }
  return tagPage({ tag, timeline }, { frame, urls: render.urls })
}
