import type { Values } from '@rookery/http'
import { html } from '@rookery/pages'
import type { View } from './page.ts'
import { formPart } from './parts.ts'
import type { Visit } from './visit.ts'

const textsIn = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))

/** The page that asks for the password once more, and for a code of the second factor, before a form goes on. */
export const confirmView = (
  visit: Visit,
  { form, values, problem }: { form: string; values: Values; problem: string | undefined },
): View => {
  const { confirm } = visit.texts
  return {
    title: confirm.title,
    lead: confirm.lead,
    body: html`${problem && html`<p class="notice wrong" role="alert">${problem}</p>`}
${formPart(visit, {
  form,
  values: textsIn(values),
  fields: [
    { name: 'current_password', label: confirm.password, kind: 'password', autocomplete: 'current-password' },
    ...(visit.hasSecondFactor ? [{ name: 'code', label: confirm.code, hint: confirm.codeHint, autocomplete: 'one-time-code' }] : []),
  ],
  buttons: [{ label: confirm.submit, kind: 'danger' }],
})}
<p class="foot"><a href="${visit.path}">${confirm.back}</a></p>`,
  }
}
