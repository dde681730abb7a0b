import type { TagView } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { describingHead } from './head.ts'
import { type Frame, numberIn, type Page } from './page.ts'
import { filesOfTimeline, type Timeline, timelinePart } from './timeline.ts'

/** How a tag was used in the past week. */
const useOf = ({ history }: TagView, frame: Frame): string => {
  const sum = (count: (day: TagView['history'][number]) => number) => history.reduce((total, day) => total + count(day), 0)
  return frame.texts.tag.use({
    posts: numberIn(
      frame,
      sum(({ uses }) => uses),
    ),
    people: numberIn(
      frame,
      sum(({ accounts }) => accounts),
    ),
  })
}

/** The page of a hashtag: its latest public posts. */
export const tagPage = ({ tag, timeline }: { tag: TagView; timeline: Timeline }, given: { frame: Frame; urls: Addresses }): Page => {
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
    }),
    files: filesOfTimeline(timeline, urls),
  }
}
