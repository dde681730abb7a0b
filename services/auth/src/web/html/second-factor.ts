import { type Html, html } from '@rookery/pages'
import { encode } from 'uqr'
import { alarm, field, form, hidden } from './field.ts'
import type { Frame, Page } from './layout.ts'
import { type PasskeyQuestion, passkeySignIn } from './passkeys.ts'
import { proofFields } from './proof.ts'

const dayOf = (language: string, moment: Date) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment)

/** The width of the quiet zone of a QR code, in modules (ISO/IEC 18004, 9.1). */
const QUIET = 4

/** A QR code, dark on light in every colour scheme. */
const qrPart = (text: string, label: string): Html => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark}" fill="#000"/></svg>`
}

/** The page of the second step of signing in. */
export const codePage = (
  frame: Frame,
  view: { action: string; formToken: string; ticket: string; passkey: PasskeyQuestion | undefined; problem?: string | undefined },
): Page => {
  const { texts } = frame
  const { secondFactor } = texts
  const code = { name: 'code', label: secondFactor.code, hint: secondFactor.codeHint, autocomplete: 'one-time-code' }
  const body = html`${hidden('ticket', view.ticket)}
${field({ ...code, isFocused: true })}
<button type="submit">${texts.signIn.submit}</button>`
  return {
    title: secondFactor.stepTitle,
    lead: secondFactor.stepLead,
    body: html`${alarm(view.problem)}${form({ action: view.action, formToken: view.formToken, body })}
${view.passkey && passkeySignIn(frame, view.passkey, view.ticket)}
<p class="small">${secondFactor.lost}</p>`,
  }
}

type FormView = { action: string; formToken: string; hasPasskeys: boolean; problem?: string | undefined }

const passkeysLink = ({ texts }: Frame): Html =>
  html`<p class="foot"><a href="/auth/account/passkeys?lang=${texts.language}">${texts.passkeys.title}</a>: ${texts.passkeys.lead}</p>`

/** The page that shows a secret for an authenticator app, and asks for a code. */
export const turnOnPage = (frame: Frame, view: FormView & { secret: string; uri: string; ticket: string; isRequired: boolean }): Page => {
  const { secondFactor } = frame.texts
  const body = html`${hidden('ticket', view.ticket)}
${proofFields(frame)}
${field({ name: 'code', label: secondFactor.firstCode, autocomplete: 'one-time-code' })}
<button type="submit">${secondFactor.turnOn}</button>`
  return {
    section: 'security',
    title: secondFactor.title,
    lead: view.isRequired ? secondFactor.required : secondFactor.lead,
    body: html`${alarm(view.problem)}
<p>${secondFactor.scan}</p>
${qrPart(view.uri, secondFactor.qr)}
<p class="small">${secondFactor.typed} <code class="secret">${view.secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<p class="small"><a href="${view.uri}">${secondFactor.onThisDevice}</a></p>
${form({ action: view.action, formToken: view.formToken, body })}
${view.hasPasskeys && passkeysLink(frame)}`,
  }
}

/** The page of a second factor that is on. */
export const secondFactorPage = (frame: Frame, view: FormView & { since: Date; codesLeft: number; note?: string | undefined }): Page => {
  const { secondFactor, language } = frame.texts
  const body = html`${proofFields(frame)}
<button type="submit" name="act" value="renew">${secondFactor.renew}</button>
<button type="submit" name="act" value="off" class="quiet">${secondFactor.turnOff}</button>`
  return {
    section: 'security',
    title: secondFactor.title,
    lead: secondFactor.since(dayOf(language, view.since)),
    body: html`${alarm(view.problem)}${view.note && html`<p class="notice" role="status">${view.note}</p>`}
<p>${secondFactor.codesLeft(view.codesLeft)}</p>
${form({ action: view.action, formToken: view.formToken, body })}
${view.hasPasskeys && passkeysLink(frame)}`,
  }
}

/** The page that shows the recovery codes, once. */
export const recoveryCodesPage = (frame: Frame, view: { codes: readonly string[]; next: string | undefined }): Page => {
  const { secondFactor } = frame.texts
  return {
    section: 'security',
    title: secondFactor.codesTitle,
    lead: secondFactor.codesLead,
    body: html`<ul class="codes">${view.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="foot"><a href="${view.next ?? `/auth/account/second_factor?lang=${frame.texts.language}`}">${secondFactor.codesKept}</a></p>`,
  }
}
