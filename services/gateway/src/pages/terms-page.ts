import type { TermsOfService } from '@rookery/contracts/federation'
import { html } from '@rookery/pages'
import { dayIn, type Frame, type Page } from './page.ts'

const dayOf = (frame: Frame, day: string) => dayIn(frame, Date.parse(day))

/** The page of the terms of service. */
export const termsPage = ({ content, effectiveOn, isEffective, succeededBy }: TermsOfService, frame: Frame): Page => {
  const { terms } = frame.texts
  const lead = isEffective ? terms.since : terms.from
  return {
    status: 200,
    title: terms.title,
    lead: lead(dayOf(frame, effectiveOn)),
    body: html`${succeededBy && html`<p><a href="/terms-of-service/${succeededBy}">${terms.next(dayOf(frame, succeededBy))}</a></p>`}<div class="said">${{ html: content }}</div>`,
    isIndexed: true,
  }
}
