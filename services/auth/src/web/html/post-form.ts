import { createHash } from 'node:crypto'
import { html } from '@rookery/pages'
import type { Frame, Page } from './layout.ts'

const SUBMIT = 'document.forms[0].submit()'

/** The scripts that the page needs in its content security policy. */
export const POST_FORM = { scripts: [`'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`] } as const

/** The page that posts an authorization response to an app (OAuth 2.0 Form Post Response Mode). */
export const postFormPage = ({ texts }: Frame, action: string, fields: readonly (readonly [string, string])[]): Page => ({
  title: texts.postForm.title,
  body: html`<form method="post" action="${action}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${texts.postForm.submit}</button>
</form>
<script>${{ html: SUBMIT }}</script>`,
})
