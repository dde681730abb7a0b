import type { Addresses } from '@rookery/entities'
import { type Html, html } from '@rookery/pages'
import type { PageContext } from './page.ts'
import { type Pager, pagerPart } from './paging.ts'
import { filesOfStatus, type PageStatus, statusPart } from './status.ts'

/** A page of a list of posts. */
export type Timeline = { posts: readonly PageStatus[]; pager: Pager }

export const timelinePart = ({ posts, pager }: Timeline, { frame, urls }: PageContext): Html => {
  const { texts } = frame
  const shown = posts.map((said) => statusPart(said, { frame, urls }))
  return html`${shown.length > 0 ? shown : html`<p class="foot">${texts.noPosts}</p>`}
${pagerPart(pager, { texts, next: texts.pager.older })}`
}

/** The images and recordings that it shows. */
export const filesOfTimeline = ({ posts }: Timeline, urls: Addresses): string[] => posts.flatMap((said) => filesOfStatus(said, urls))
