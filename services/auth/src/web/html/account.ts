import { type Html, html, inReadingOrder } from '@rookery/pages'
import { browserName } from './browser-name.rules.ts'
import { form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { Texts } from './texts/index.ts'

/** The overview of a login. */
export type AccountView = {
  person: string
  email: string
  apps: readonly { id: string; name: string; since: Date }[]
  browsers: readonly { uid: string; userAgent: string; signedInAt: Date; isThisOne: boolean }[]
  formToken: string
  hasSecondFactor: boolean
  /** The number of passkeys; undefined if browsers do not support them here. */
  passkeys: number | undefined
  /** A one-time message after an action. */
  note?: string | undefined
}

const dayOf = ({ language }: Texts, moment: Date) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment)

const row = (given: { what: string; detail: string; act: Html | undefined }): Html =>
  html`<li><div><strong>${given.what}</strong><span>${given.detail}</span></div>${given.act}</li>`

const list = (title: string, rows: readonly Html[], none: string): Html => html`
<h2>${title}</h2>
${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="small">${none}</p>`}`

/** The page of a login: address and password, and apps and browsers, each with a button to sign out. */
export const accountPage = ({ texts }: Frame, view: AccountView): Page => {
  const { account } = texts
  const at = (path: string) => `/auth/account${path}?lang=${texts.language}`
  const post = (path: string, body: Html) => form({ action: at(path), formToken: view.formToken, body })
  const end = (path: string, name: string, value: string) =>
    post(path, html`${hidden(name, value)}<button type="submit" class="quiet compact">${account.end}</button>`)
  const link = (path: string) => html`<a href="${at(path)}">${account.change}</a>`
  const apps = view.apps.map(({ id, name, since }) =>
    row({ what: inReadingOrder(name), detail: account.since(dayOf(texts, since)), act: end('/apps', 'app', id) }),
  )
  const browsers = view.browsers.map(({ uid, userAgent, signedInAt, isThisOne }) =>
    row({
      what: browserName(userAgent) || account.someBrowser,
      detail: isThisOne ? account.thisBrowser : account.since(dayOf(texts, signedInAt)),
      act: isThisOne ? undefined : end('/browsers', 'browser', uid),
    }),
  )
  return {
    section: 'login',
    title: account.title,
    lead: texts.approve.signedInAs(view.person),
    body: html`${view.note && html`<p class="notice" role="status">${view.note}</p>`}
<ul class="rows">
${row({ what: texts.signIn.email, detail: view.email, act: link('/email') })}
${row({ what: texts.signIn.password, detail: account.passwordHidden, act: link('/password') })}
${row({ what: texts.secondFactor.title, detail: texts.secondFactor[view.hasSecondFactor ? 'isOn' : 'isOff'], act: link('/second_factor') })}
${view.passkeys !== undefined && row({ what: texts.passkeys.title, detail: texts.passkeys.count(view.passkeys), act: link('/passkeys') })}
</ul>
${list(account.apps, apps, account.noApps)}
${list(account.browsers, browsers, '')}
${post('/everywhere', html`<button type="submit" class="quiet">${account.everywhere}</button>`)}`,
  }
}
