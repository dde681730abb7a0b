import type { PrivacyPolicy } from '@rookery/contracts/federation'
import { html } from '@rookery/pages'
import { dayIn, type Frame, type Page } from './page.ts'

/** The page of the privacy policy. */
export const privacyPage = ({ content, updatedAtMilliseconds }: PrivacyPolicy, frame: Frame): Page => {
  const { policy } = frame.texts
  return {
    status: 200,
    title: policy.title,
    lead: policy.changed(dayIn(frame, updatedAtMilliseconds)),
    body: html`<div class="said">${{ html: content }}</div>`,
    isIndexed: true,
  }
}
