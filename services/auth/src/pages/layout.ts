import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'
import type { Texts } from './texts/index.ts'

/** What every page needs: in which language it speaks and for which server. */
export type Frame = { texts: Texts; host: string }

/** A page, without what all pages share. */
export type Page = { title: string; lead?: string; body?: Html }

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor"><path d="M2 25c6 .6 10-1.6 12.2-6.2C16.4 14 18 9 23 9c1.700 0 3 .5 4 1.500L31 12l-3.400 1.500C27.600 21.500 22 27 14 27c-5 0-9-.6-12-2z"/><path d="M12.500 6c2.200 1.200 3.400 3 3.600 5.200L9 20.500C8.200 15 9.400 10 12.500 6z" opacity=".55"/><circle cx="23.600" cy="12.300" r="1.200" fill="var(--paper)"/></svg>`

/** A whole document. */
export const layout = ({ texts, host }: Frame, page: Page): string =>
  html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · ${host}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main>
<p class="brand">${MARK}<span>${host}</span></p>
<h1>${page.title}</h1>
${page.lead && html`<p class="lead">${page.lead}</p>`}
${page.body}
</main>
</body>
</html>
`.html
