import { type Html, html } from '@rookery/pages'
import { field } from './field.ts'
import type { Frame } from './layout.ts'

/** The fields for re-authentication: password, and code if a second factor is on. */
export const proofFields = ({ texts, hasSecondFactor }: Frame): Html => html`
${field({ name: 'current_password', label: texts.account.currentPassword, type: 'password', autocomplete: 'current-password' })}
${hasSecondFactor && field({ name: 'code', label: texts.secondFactor.code, autocomplete: 'one-time-code', hint: texts.secondFactor.codeHint })}`
