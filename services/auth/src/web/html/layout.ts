import { besideNavigation, type Html, html, renderDocument, type SettingsSection, settingsNavigation, WIDE_STYLE } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** The context of a page: language and server, whether the person has a second factor, belongs to staff, and may invite people. */
export type Frame = { texts: Texts; host: string; hasSecondFactor?: boolean; isStaff?: boolean; mayInvite?: boolean }

/** The content of a page. With a section it has the navigation of the settings. */
export type Page = { title: string; lead?: string; body?: Html; section?: SettingsSection }

const inSettings = (
  { texts, host, isStaff = false, mayInvite = false }: Frame,
  { title, lead, body }: Page,
  section: SettingsSection,
): Html => {
  const { language } = texts
  const page = html`<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
${body}`
  return html`${besideNavigation(language, { navigation: settingsNavigation(language, { current: section, isStaff, mayInvite }), page })}
<p class="foot"><a href="/">${host}</a> · <a href="/auth/sign_out?lang=${language}">${texts.signOut.submit}</a></p>`
}

/** Renders a whole document, which search engines do not index. */
export const layout = (frame: Frame, page: Page): string => {
  const shared = { language: frame.texts.language, host: frame.host, home: '/' }
  if (!page.section) return renderDocument({ ...shared, title: page.title, lead: page.lead, body: page.body })
  return renderDocument({ ...shared, title: page.title, heading: '', styles: [WIDE_STYLE], body: inSettings(frame, page, page.section) })
}
