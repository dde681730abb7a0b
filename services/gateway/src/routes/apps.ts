import { applicationEntity, credentialApplicationEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { AnyToken, Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, text, textList } from '../http/fields.ts'

export const registerApp = endpoint({
  method: 'POST',
  path: '/api/v1/apps',
  access: Public(),
  summary: 'Registers an app and returns its credentials.',
  limits: ['apps'],
  input: form({ client_name: text(), redirect_uris: textList(), scopes: text(), website: text() }),
  handle: async ({ call, input }, { apps, vapidKey }) => {
    const registration = {
      name: input.client_name ?? '',
      redirectUris: input.redirect_uris,
      scopes: input.scopes ?? '',
      website: input.website ?? '',
    }
    const app = await apps.register(call, registration)
    return { ...credentialApplicationEntity(app), vapid_key: await vapidKey(call) }
  },
})

export const readOwnApp = endpoint({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  access: AnyToken(),
  summary: 'The app that the token was issued to.',
  handle: async ({ call, holder }, { apps, vapidKey }) => {
    const [app, key] = await Promise.all([apps.read(call, { id: orNotFound(holder).appId }), vapidKey(call)])
    return { ...applicationEntity(app), vapid_key: key }
  },
})
