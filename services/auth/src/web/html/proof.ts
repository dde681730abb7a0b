import { type Html, html } from '@rookery/pages'
import { field } from './field.ts'
import type { Frame } from './layout.ts'

/** The fields that ask someone signed in who they are: their password, and a code where they have a second factor. */
export const proofFields = ({ texts, hasSecondFactor }: Frame): Html => html`
${field({ name: 'current_password', label: texts.account.currentPassword, type: 'password', autocomplete: 'current-password' })}
${hasSecondFactor && field({ name: 'code', label: texts.secondFactor.code, autocomplete: 'one-time-code', hint: texts.secondFactor.codeHint })}`
