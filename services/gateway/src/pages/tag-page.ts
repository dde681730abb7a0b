import type { TagView } from '@rookery/contracts/statuses'
import { describingHead } from './head.ts'
import type { Page, PageContext } from './page.ts'
import { useOf } from './tag-use.ts'
import { filesOfTimeline, type Timeline, timelinePart } from './timeline.ts'

/** The page of a hashtag: its latest public posts. */
export const tagPage = ({ tag, timeline }: { tag: TagView; timeline: Timeline }, given: PageContext): Page => {
  const { frame, urls } = given
  const title = `#${tag.display}`
  const lead = useOf(tag, frame)
  const url = urls.tag(tag.name)
  return {
    status: 200,
    title,
    lead,
    body: timelinePart(timeline, given),
    head: describingHead({
      kind: 'website',
      title: `${title} · ${frame.host}`,
      description: lead,
      url,
      image: undefined,
      host: frame.host,
      feed: `${url}.rss`,
    }),
    files: filesOfTimeline(timeline, urls),
  }
}
