import { type Html, html } from '@rookery/pages'
import { alarm, checkBox, choice, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { Texts } from './texts/index.ts'

/** An invitation of the account. */
type InviteView = {
  id: string
  /** The whole URL, to pass on. */
  link: string
  maxUses: number | null
  uses: number
  goodUntil: Date | null
  isGood: boolean
  autofollow: boolean
  /** The usernames of accounts that joined by it. */
  invitees: readonly string[]
}

type View = {
  formToken: string
  invites: readonly InviteView[]
  /** The offered lifetimes in seconds, the offered limits of uses, and the default lifetime. */
  lifetimes: readonly (keyof Texts['invites']['lifetimes'])[]
  uses: readonly number[]
  usualLifetime: number
  problem?: string | undefined
}

const PATH = '/auth/account/invites'

const timeOf = ({ language }: Texts, at: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)

const stateOf = (texts: Texts, { isGood, goodUntil }: InviteView): string => {
  const { invites } = texts
  if (!isGood) return invites.over
  return goodUntil ? invites.until(timeOf(texts, goodUntil)) : invites.forever
}

const inviteRow = (texts: Texts, view: InviteView, formToken: string): Html => {
  const { invites, language } = texts
  const body = html`${hidden('invite', view.id)}<button type="submit" class="quiet compact">${invites.end}</button>`
  const end = view.isGood && form({ action: `${PATH}/end?lang=${language}`, formToken, body })
  const people = view.invitees.map((username, index) => html`${index > 0 && ', '}<a href="/@${username}">@${username}</a>`)
  return html`<li><div><strong>${view.isGood ? html`<a href="${view.link}">${view.link}</a>` : view.link}</strong>
<span>${stateOf(texts, view)} · ${invites.used(view.uses, view.maxUses)}${view.autofollow && ` · ${invites.follows}`}</span>
${people.length > 0 && html`<span>${invites.invitees} ${people}</span>`}</div>${end}</li>`
}

const makeForm = ({ texts }: Frame, { formToken, lifetimes, uses, usualLifetime }: View): Html => {
  const { invites, language } = texts
  const body = html`
${choice({
  name: 'max_uses',
  label: invites.maxUses,
  options: [['', invites.noLimit], ...uses.map((count) => [String(count), invites.times(count)] as const)],
})}
${choice({
  name: 'expires_in',
  label: invites.expiresIn,
  options: [...lifetimes.map((seconds) => [String(seconds), invites.lifetimes[seconds]] as const), ['', invites.never]],
  chosen: String(usualLifetime),
})}
${checkBox({ name: 'autofollow', label: invites.autofollow, isTicked: false, isOptional: true })}
<button type="submit">${invites.submit}</button>`
  return form({ action: `${PATH}?lang=${language}`, formToken, body })
}

/** The page of an account's invitations: creates, lists and ends them. */
export const invitesPage = (frame: Frame, view: View): Page => {
  const { texts, host } = frame
  const { invites } = texts
  const rows = view.invites.map((invite) => inviteRow(texts, invite, view.formToken))
  return {
    section: 'invites',
    title: invites.title,
    lead: invites.lead(host),
    body: html`${alarm(view.problem)}${makeForm(frame, view)}
<h2>${invites.own}</h2>
${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="small">${invites.none}</p>`}`,
  }
}
