import { html } from '@rookery/pages'
import type { Frame, Page } from './page.ts'

type Welcome = {
  title: string
  /** The operator's description; empty if there is none. */
  description: string
  maySignUp: boolean
}

/** The page at `/`, which introduces the server. */
export const welcomePage = (frame: Frame, { title, description, maySignUp }: Welcome): Page => {
  const { texts, host, language } = frame
  const { welcome } = texts
  return {
    status: 200,
    title,
    lead: description || welcome.lead,
    body: html`<dl>
<div><dt>${welcome.signIn}</dt><dd>${host}</dd></div>
<div><dt>${welcome.apps}</dt><dd>Elk, Phanpy, Ivory, Tusky, toot</dd></div>
</dl>
${maySignUp && html`<a class="button" href="/auth/sign_up?lang=${language}">${welcome.signUp}</a>`}
<p class="foot"><a href="/settings?lang=${language}">${welcome.account}</a> · <a href="/api/openapi.json">${welcome.api}</a> · <a href="/api/v2/instance">${welcome.instance}</a></p>`,
    isIndexed: true,
  }
}
