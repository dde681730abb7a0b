import { LoginState } from '@rookery/contracts/auth'
import { Newcomer } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/v1/emails/confirmations',
  access: Newcomer('write:accounts'),
  summary: 'Sends the confirmation mail again, to another address when one is given; for the app the person signed up with.',
  input: form({ email: text() }),
  handle: async ({ call, input, holder, viewerId }, { registrations }) => {
    await registrations.resendConfirmation(call, { accountId: viewerId, appId: holder?.appId ?? '', email: input.email ?? '' })
    return {}
  },
})

export const checkConfirmation = endpoint({
  method: 'GET',
  path: '/api/v1/emails/check_confirmation',
  access: Newcomer(),
  summary: 'Whether the token owner’s e-mail address is confirmed.',
  handle: async ({ holder }) => holder?.loginState !== LoginState.UNCONFIRMED,
})
