import type { ServerResponse } from 'node:http'
import { holds } from '@rookery/contracts/permissions'
import { besideNavigation, type Html, html, type Language, pagePolicy, renderDocument, WIDE_STYLE } from '@rookery/pages'
import type { AdminPage, SignedInPage, Site, View } from './page.ts'
import { ADMIN_STYLE } from './style.ts'
import type { Texts } from './texts/index.ts'
import type { Problem, Visit } from './visit.ts'

const STYLES = [WIDE_STYLE, ADMIN_STYLE]

/** The language and texts of a page, and the server's host. */
export type Frame = { language: Language; texts: Texts; host: string; root: Site['root'] }

/** Sends a page. */
export const sendView = (response: ServerResponse, { language, host, root }: Frame, view: View, status = 200): void => {
  const { title, body, files = [] } = view
  const document = Buffer.from(renderDocument({ language, host, styles: STYLES, home: root, title, heading: '', body }))
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': document.length,
    'Content-Security-Policy': pagePolicy({
      styles: STYLES,
      files: files.filter((address) => URL.canParse(address)),
      formTargets: ["'self'"],
    }),
    'Content-Language': language,
  })
  response.end(document)
}

/** Links to the sections that the person's role may see; the current one is marked. */
const navigation = ({ texts, holder }: Visit, page: AdminPage, pages: readonly AdminPage[]): Html => {
  const open = pages.filter(({ isFirst, access }) => isFirst && holds(holder.permissions, access.permission ?? 0))
  const links = open.map(
    ({ path, section }) => html`<a href="${path}"${section === page.section && html` aria-current="page"`}>${texts.sections[section]}</a>`,
  )
  return html`<nav class="sections" aria-label="${texts.navigation}">${links}</nav>`
}

/** The tabs of the current section. */
const tabs = ({ texts, holder }: Visit, page: AdminPage, pages: readonly AdminPage[]): Html | undefined => {
  const open = pages.filter(
    ({ section, tab, access }) => section === page.section && tab && holds(holder.permissions, access.permission ?? 0),
  )
  if (!page.tab || open.length < 2) return undefined
  const links = open.map(
    ({ path, tab }) => html`<a href="${path}"${path === page.path && html` aria-current="page"`}>${texts.tabs[tab!]}</a>`,
  )
  return html`<nav class="tabs" aria-label="${texts.sections[page.section]}">${links}</nav>`
}

/** The faults that are not shown at a field, and a note if others are. */
const problemWords = ({ faults, placed }: Problem, { wrong }: Texts): string => {
  const rest = faults.filter((fault) => !placed.has(fault)).map(({ words }) => words)
  return [...rest, ...(placed.size > 0 ? [wrong.marked] : [])].join(' ')
}

const notices = ({ texts, query, problem }: Visit): Html => {
  const done = query.get('done') ?? ''
  const said = Object.hasOwn(texts.done, done) ? texts.done[done as keyof Texts['done']] : undefined
  if (problem) return html`<p class="notice wrong" role="alert">${texts.problem} ${problemWords(problem, texts)}</p>`
  return html`${said && html`<p class="notice" role="status">${said}</p>`}`
}

/** The navigation of the staff pages. */
export const staffNavigation =
  (pages: readonly AdminPage[]): Site['navigation'] =>
  (visit, { path }) => {
    const page = pages.find((each) => each.path === path)!
    return { above: navigation(visit, page, pages), below: tabs(visit, page, pages) }
  }

/** A page inside its navigation. */
export const framed = (visit: Visit, page: SignedInPage, site: Site, view: View): View => {
  const { above, below } = site.navigation(visit, page)
  const main = html`<h1>${view.heading ?? view.title}</h1>
${view.lead && html`<p class="lead">${view.lead}</p>`}
${below}
${notices(visit)}
${view.body}`
  return {
    ...view,
    body: html`${besideNavigation(visit.language, { navigation: above, page: main })}
<p class="foot"><a href="/">${visit.host}</a> · <a href="/settings?lang=${visit.language}">${visit.texts.account}</a> · <a href="/auth/sign_out?lang=${visit.language}">${visit.texts.signOut}</a></p>`,
  }
}
