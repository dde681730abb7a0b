import { attributes, FORM_TOKEN, type Html, html } from '@rookery/pages'
import { browserName } from './browser-name.rules.ts'
import { alarm, field, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { proofFields } from './proof.ts'

/** A challenge for a browser, and the form that returns its response. */
export type PasskeyQuestion = { action: string; formToken: string; options: unknown; ticket: string }

/** A form that the passkey script shows and fills in; hidden without scripts. */
const passkeyForm = ({ texts }: Frame, kind: 'create' | 'get', question: PasskeyQuestion, body: Html): Html => html`
<form${attributes({ method: 'post', action: question.action, 'data-passkey': kind, 'data-options': JSON.stringify(question.options) })} novalidate hidden>
${hidden(FORM_TOKEN, question.formToken)}${hidden('passkey_ticket', question.ticket)}<input type="hidden" name="credential" value="">
<p class="notice wrong" role="alert" data-problem hidden>${texts.passkeys.failed}</p>
${body}
</form>
<script src="/auth/passkeys.js" defer></script>`

/** The button for signing in with a passkey; `ticket` is that of the second step. */
export const passkeySignIn = (frame: Frame, question: PasskeyQuestion, ticket?: string): Html =>
  passkeyForm(
    frame,
    'get',
    question,
    html`${ticket !== undefined && hidden('ticket', ticket)}<button type="submit" class="quiet">${frame.texts.passkeys.signIn}</button>`,
  )

type Listed = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

const dayOf = (language: string, moment: Date) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment)

const at = (path: string, { texts }: Frame, more: Record<string, string> = {}) =>
  `/auth/account/passkeys${path}?${new URLSearchParams({ lang: texts.language, ...more })}`

/** The page of an account's passkeys. */
export const passkeysPage = (frame: Frame, view: { passkeys: readonly Listed[]; mayAdd: boolean; note?: string | undefined }): Page => {
  const { passkeys, language } = frame.texts
  const rows = view.passkeys.map(({ id, name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt ? passkeys.lastUsed(dayOf(language, lastUsedAt)) : passkeys.neverUsed
    return html`<li><div><strong>${name}</strong><span>${passkeys.since(dayOf(language, createdAt))} ${used}</span></div><a href="${at('/remove', frame, { passkey: id })}" aria-label="${passkeys.remove}: ${name}">${passkeys.remove}</a></li>`
  })
  return {
    section: 'security',
    title: passkeys.title,
    lead: passkeys.lead,
    body: html`${view.note && html`<p class="notice" role="status">${view.note}</p>`}
${rows.length > 0 ? html`<ul class="rows">${rows}</ul>` : html`<p class="small">${passkeys.none}</p>`}
${view.mayAdd && html`<p><a href="${at('/new', frame)}">${passkeys.add}</a></p>`}`,
  }
}

const back = (frame: Frame): Html => html`<p class="foot"><a href="${at('', frame)}">${frame.texts.passkeys.back}</a></p>`

/** The page for adding a passkey. */
export const addPasskeyPage = (
  frame: Frame,
  view: { question: PasskeyQuestion; name: string; problem?: string | undefined; userAgent: string },
): Page => {
  const { passkeys } = frame.texts
  const name = { name: 'name', label: passkeys.name, value: view.name || browserName(view.userAgent), autocomplete: 'off', maxLength: 50 }
  const body = html`${field(name)}${proofFields(frame)}<button type="submit">${passkeys.add}</button>`
  return {
    section: 'security',
    title: passkeys.add,
    lead: passkeys.addLead,
    body: html`${alarm(view.problem)}<noscript><p class="notice">${passkeys.needsScript}</p></noscript>
${passkeyForm(frame, 'create', view.question, body)}${back(frame)}`,
  }
}

/** The page for removing a passkey. */
export const removePasskeyPage = (
  frame: Frame,
  view: { id: string; name: string; formToken: string; problem?: string | undefined },
): Page => {
  const { passkeys } = frame.texts
  const body = html`${hidden('passkey', view.id)}${proofFields(frame)}<button type="submit" class="danger">${passkeys.remove}</button>`
  return {
    section: 'security',
    title: passkeys.removeTitle(view.name),
    lead: passkeys.removeLead,
    body: html`${alarm(view.problem)}${form({ action: at('/remove', frame, { passkey: view.id }), formToken: view.formToken, body })}${back(frame)}`,
  }
}
