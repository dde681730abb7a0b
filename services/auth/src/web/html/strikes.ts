import { type Html, html } from '@rookery/pages'
import { form, hidden, textArea } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { Link } from './notice.ts'
import type { NoticeKind, Texts } from './texts/index.ts'

/** A strike, as its account sees it. */
export type StrikeView = {
  path: string
  kind: NoticeKind
  createdAt: Date
  isTakenBack: boolean
  state: keyof Texts['strikes']['states'] | undefined
}

/** The form of an appeal: its deadline, and the typed text. */
export type AppealForm = {
  action: string
  formToken: string
  /** For appeals without sign-in. */
  ticket?: string
  until: Date
  maxLength: number
  typed?: string | undefined
  error?: string | undefined
}

/** A strike with the text of staff, and the appeal. */
export type AppealableView = StrikeView & {
  text: string
  appealText: string | undefined
  /** Undefined if the strike is not open to appeal. */
  form: AppealForm | undefined
}

type OneStrike = AppealableView & {
  /** The statuses it was about that still exist, and whether it was about any. */
  posts: readonly { path: string; name: string }[]
  hasPosts: boolean
}

const timeOf = ({ language }: Texts, at: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(at)

const doneOn = (texts: Texts, { createdAt }: StrikeView): string =>
  texts.strikes.done(timeOf(texts, createdAt, { dateStyle: 'long', timeStyle: 'short' }))

const stateOf = ({ strikes }: Texts, { isTakenBack, state }: StrikeView): string =>
  [isTakenBack && strikes.takenBack, state && strikes.states[state]].filter(Boolean).join(' ')

/** The page of all strikes of an account. */
export const strikesPage = ({ texts, host }: Frame, views: readonly StrikeView[]): Page => {
  const { strikes, noticeMails, language } = texts
  const rows = views.map(
    (view) => html`<li><div><a href="${view.path}?lang=${language}">${noticeMails[view.kind].subject(host)}</a>
<span>${doneOn(texts, view)}</span><span>${stateOf(texts, view)}</span></div></li>`,
  )
  return {
    section: 'strikes',
    title: strikes.title,
    lead: strikes.lead,
    body: rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="small">${strikes.none}</p>`,
  }
}

/** A text by a person, as paragraphs. */
const quoted = (text: string): Html[] => text.split('\n').flatMap((line) => (line.trim() ? [html`<p>${line}</p>`] : []))

const postsPart = ({ strikes }: Texts, { posts, hasPosts }: OneStrike): Html | undefined => {
  if (!hasPosts) return undefined
  const list = html`<ul class="rows">${posts.map(({ path, name }) => html`<li><a href="${path}">${name}</a></li>`)}</ul>`
  return html`<h2>${strikes.posts}</h2>${posts.length > 0 ? list : html`<p class="small">${strikes.noPosts}</p>`}`
}

const formPart = (texts: Texts, { action, formToken, ticket, until, maxLength, typed, error }: AppealForm): Html => {
  const { strikes, language } = texts
  const body = html`${ticket && hidden('ticket', ticket)}${textArea({ name: 'text', label: strikes.text, value: typed, maxLength, ...(error && { error }) })}
<button type="submit">${strikes.submit}</button>`
  return html`<p class="small">${strikes.appealLead(timeOf(texts, until, { dateStyle: 'long' }))}</p>
${form({ action: `${action}?lang=${language}`, formToken, body })}`
}

const saidPart = ({ strikes }: Texts, { text }: AppealableView): Html | undefined =>
  text ? html`<h2>${strikes.said}</h2>${quoted(text)}` : undefined

const appealPart = (texts: Texts, { state, appealText, form: open, isTakenBack }: AppealableView): Html | undefined => {
  const { strikes } = texts
  const heading = html`<h2>${strikes.appeal}</h2>`
  if (state) return html`${heading}<p class="notice" role="status">${strikes.states[state]}</p>${quoted(appealText ?? '')}`
  if (open) return html`${heading}${formPart(texts, open)}`
  return isTakenBack ? undefined : html`${heading}<p class="small">${strikes.tooLate}</p>`
}

/** The page for people who cannot sign in: the reason, whom to ask, and if an act of staff is the reason, that act and its appeal. */
export const barredPage = ({ texts }: Frame, view: { text: string; contact: Link; strike: AppealableView | undefined }): Page => {
  const { text, contact, strike } = view
  return {
    title: texts.signIn.disabled,
    lead: text,
    body: html`<p><a href="${contact.path}">${contact.name}</a></p>
${strike && html`<p class="small">${doneOn(texts, strike)}</p>${saidPart(texts, strike)}${appealPart(texts, strike)}`}`,
  }
}

/** The page of a strike, and its appeal. */
export const strikePage = ({ texts, host }: Frame, view: OneStrike): Page => {
  const { strikes, noticeMails, language } = texts
  const { subject, text } = noticeMails[view.kind]
  return {
    section: 'strikes',
    title: subject(host),
    lead: text(host),
    body: html`<p class="small">${doneOn(texts, view)}</p>
${view.isTakenBack && html`<p class="notice" role="status">${strikes.takenBack}</p>`}
${saidPart(texts, view)}
${postsPart(texts, view)}
${appealPart(texts, view)}
<p><a href="/disputes/strikes?lang=${language}">${strikes.all}</a></p>`,
  }
}
