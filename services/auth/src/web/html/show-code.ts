import { html } from '@rookery/pages'
import type { Frame, Page } from './layout.ts'

/** The page that shows an authorization code for copying into an app (out-of-band). */
export const showCodePage = ({ texts }: Frame, code: string): Page => ({
  title: texts.showCode.title,
  lead: texts.showCode.lead,
  body: html`<p class="code"><label for="code">${texts.showCode.label}</label>
<input id="code" type="text" value="${code}" readonly autofocus></p>`,
})
