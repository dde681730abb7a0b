import { type Html, html } from './html.ts'
import type { Language } from './language.ts'
import { STYLE } from './style.ts'

/** A page and its metadata. */
export type Document = {
  language: Language
  /** The server's name, shown beside the logo. */
  host: string
  title: string
  /** The heading, if it is not the title; empty if the body has one. */
  heading?: string | undefined
  lead?: string | undefined
  body?: Html | undefined
  /** Further elements of the head. */
  head?: Html | undefined
  /** The link of the logo, if any. */
  home?: string | undefined
  /** The footer. */
  foot?: Html | undefined
  /** Stylesheets in addition to the common one. */
  styles?: readonly string[]
  /** Whether search engines may index it. */
  isIndexed?: boolean
}

const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor"><path d="M2 25c6 .6 10-1.6 12.2-6.2C16.4 14 18 9 23 9c1.700 0 3 .5 4 1.500L31 12l-3.400 1.500C27.600 21.500 22 27 14 27c-5 0-9-.6-12-2z"/><path d="M12.500 6c2.200 1.200 3.400 3 3.600 5.200L9 20.500C8.200 15 9.400 10 12.500 6z" opacity=".55"/><circle cx="23.600" cy="12.300" r="1.200" fill="var(--paper)"/></svg>`

/** Renders a complete HTML document. */
export const renderDocument = (page: Document): string => {
  const heading = page.heading ?? page.title
  const brand = html`${MARK}<span>${page.host}</span>`
  const styles = [STYLE, ...(page.styles ?? [])].map((text) => html`<style>${{ html: text }}</style>`)
  return html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.ico" sizes="48x48">
<link rel="manifest" href="/manifest.json">
${!page.isIndexed && html`<meta name="robots" content="noindex">`}
<title>${page.title} · ${page.host}</title>
${page.head}${styles}
</head>
<body>
<main>
<p class="brand">${page.home ? html`<a href="${page.home}">${brand}</a>` : brand}</p>
${heading && html`<h1>${heading}</h1>`}
${page.lead && html`<p class="lead">${page.lead}</p>`}
${page.body}
</main>
${page.foot}
</body>
</html>
`.html
}
