import { html } from '@rookery/pages'
import type { Read } from './read.ts'

const MAX_LENGTH = 2000

/** Reads the target of share buttons: the text to post, to copy into an app. */
export const readShare: Read = async (_address, { frame, query }) => {
  const parts = ['title', 'text', 'url'].map((name) => query.get(name)?.trim()).filter(Boolean)
  const { title, lead, nothing, label, signIn } = frame.texts.share
  const text = parts.join('\n\n').slice(0, MAX_LENGTH).toWellFormed()
  return {
    status: 200,
    title,
    lead: text ? lead : nothing,
    body: html`${text && html`<div class="field copied"><label for="shared">${label}</label><textarea id="shared" rows="6" readonly>${`\n${text}`}</textarea></div>`}
<dl><div><dt>${signIn}</dt><dd>${frame.host}</dd></div></dl>`,
  }
}
