import type { LinkTrend, TagTrend } from '@rookery/contracts/statuses'
import { type Html, html } from '@rookery/pages'
import type { Frame, Page, PageContext } from './page.ts'
import { cardPart, isWebAddress, type PageStatus, statusPart } from './status.ts'
import { useOf } from './tag-use.ts'
import { filesOfTimeline, type Timeline, timelinePart } from './timeline.ts'

/** The current trends. */
export type Trends = { tags: readonly TagTrend[]; links: readonly LinkTrend[]; posts: readonly PageStatus[] }

const tagsPart = ({ tags }: Trends, { frame, urls }: PageContext): Html | undefined => {
  const rows = tags.flatMap(({ tag }) =>
    tag ? html`<li><div><a href="${urls.tag(tag.name)}">#${tag.display}</a><span>${useOf(tag, frame)}</span></div></li>` : [],
  )
  return rows.length > 0 ? html`<h2>${frame.texts.trends.tags}</h2><ul class="rows">${rows}</ul>` : undefined
}

const linksPart = ({ links }: Trends, { texts }: Frame): Html | undefined => {
  const cards = links.flatMap(({ card }) => (card && isWebAddress(card.url) ? cardPart(card) : []))
  return cards.length > 0 ? html`<h2>${texts.trends.links}</h2>${cards}` : undefined
}

const postsPart = ({ posts }: Trends, given: PageContext): Html | undefined =>
  posts.length > 0 ? html`<h2>${given.frame.texts.trends.posts}</h2>${posts.map((said) => statusPart(said, given))}` : undefined

/** The page of public content: trends, on its first part, and the latest posts. */
export const explorePage = ({ trends, timeline }: { trends: Trends | undefined; timeline: Timeline }, given: PageContext): Page => {
  const { frame, urls } = given
  const { texts } = frame
  const trending =
    trends && [tagsPart(trends, given), linksPart(trends, frame), postsPart(trends, given)].filter((part) => part !== undefined)
  return {
    status: 200,
    title: texts.nav.explore,
    lead: texts.explore.lead,
    body: html`${trending}${trending?.length ? html`<h2>${texts.trends.latest}</h2>` : undefined}
${timelinePart(timeline, given)}`,
    files: [...filesOfTimeline(timeline, urls), ...filesOfTimeline({ posts: trends?.posts ?? [], pager: {} }, urls)],
  }
}
