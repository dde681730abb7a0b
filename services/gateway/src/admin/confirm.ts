import type { Values } from '@rookery/http'
import { type Html, html, inReadingOrder } from '@rookery/pages'
import type { Field } from './fields.ts'
import type { View } from './page.ts'
import { FORM_CONFIRMED, formPart, numberOf } from './parts.ts'
import type { FinalAct } from './texts/index.ts'
import type { Visit } from './visit.ts'

const PROBLEM = 'problem'

/** The questions before a form is submitted: a confirmation if it cannot be undone, and the password. */
export type Question = {
  form: string
  values: Values
  /** The name of the record it is about. */
  about: string
  final: FinalAct | undefined
  asksPassword: boolean
  problem: string | undefined
}

const passwordFields = ({ hasSecondFactor, texts: { confirm } }: Visit, problem: string | undefined): Field[] => {
  const wrong = problem === undefined ? {} : { errorId: PROBLEM }
  const password = {
    name: 'current_password',
    label: confirm.password,
    kind: 'password',
    autocomplete: 'current-password',
    ...wrong,
  } as const
  if (!hasSecondFactor) return [password]
  return [password, { name: 'code', label: confirm.code, hint: confirm.codeHint, autocomplete: 'one-time-code', ...wrong }]
}

/** The final act and its subject: one record by its name, or the number of chosen ones. */
const subjectPart = (visit: Visit, { final, about, values }: Question): Html | undefined => {
  if (!final) return undefined
  const { texts } = visit
  const chosen = Object.values(values).find(Array.isArray)
  const subject = chosen ? texts.confirm.chosen(numberOf(visit, chosen.length)) : inReadingOrder(about || String(values['domain'] ?? ''))
  return html`${subject && html`<p class="who"><strong>${subject}</strong></p>`}<p>${texts.final[final]}</p>`
}

/** The page that asks before a form is submitted, and submits it again with the answers. */
export const confirmView = (visit: Visit, question: Question): View => {
  const { confirm } = visit.texts
  const { form, values, about, final, asksPassword, problem } = question
  const query = new URLSearchParams(visit.query)
  query.delete('done')
  return {
    title: final ? confirm.sure : confirm.title,
    lead: asksPassword ? confirm.lead : confirm.forGood,
    body: html`${problem && html`<p class="notice wrong" role="alert" id="${PROBLEM}">${problem}</p>`}
${subjectPart(visit, question)}
${formPart(visit, {
  form,
  about,
  values: { ...(values as Record<string, string | string[]>), ...(final && { [FORM_CONFIRMED]: 'true' }) },
  fields: asksPassword ? passwordFields(visit, problem) : [],
  buttons: [{ label: confirm.submit, kind: 'danger' }],
  isInline: false,
})}
<p class="foot"><a href="${visit.path}${query.size > 0 && `?${query}`}">${confirm.back}</a></p>`,
  }
}
