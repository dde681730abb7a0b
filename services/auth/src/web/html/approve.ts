import { html, inReadingOrder } from '@rookery/pages'
import { form } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { scopeSentences } from './scope-sentences.ts'

/** The page where a signed-in person authorizes an app, or denies it. */
export const approvePage = (
  { texts }: Frame,
  view: {
    app: { name: string; website: string }
    person: string
    scopes: readonly string[]
    /** The readable destination of the redirect; undefined if the code is shown for copying. */
    place: string | undefined
    action: string
    formToken: string
    otherAccountPath: string
  },
): Page => {
  const { approve } = texts
  const buttons = html`
<button type="submit" name="answer" value="allow">${approve.submit}</button>
<button type="submit" name="answer" value="deny" class="quiet">${approve.deny}</button>`
  return {
    title: approve.title(inReadingOrder(view.app.name)),
    body: html`
<p class="who"><strong>${approve.signedInAs(view.person)}</strong> <a href="${view.otherAccountPath}">${approve.otherAccount}</a></p>
<p class="small">${approve.scopes}</p>
<ul class="scopes">${scopeSentences(texts, view.scopes).map((sentence) => html`<li>${sentence}</li>`)}</ul>
${form({ action: view.action, formToken: view.formToken, body: buttons })}
${view.place && html`<p class="small">${approve.returnsTo(inReadingOrder(view.place))}</p>`}
${view.app.website && html`<p class="small"><a href="${view.app.website}" rel="noreferrer">${approve.website}</a></p>`}`,
  }
}
