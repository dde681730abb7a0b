import { type App as AppMessage, AppsDefinition } from '@rookery/contracts/auth'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { App } from './app.store.ts'
import type { Apps } from './index.ts'

const messageOf = (app: App, credentials = { clientId: '', clientSecret: '' }): AppMessage => ({
  id: app.id,
  number: app.number,
  name: app.name,
  website: app.website,
  redirectUris: app.redirectUris,
  scopes: app.scopes,
  ...credentials,
})

/** The service Apps of the contract. */
export const createAppsRpc = (apps: Apps): Handler =>
  handler(AppsDefinition, {
    register: async (call, request) => {
      const { app, secret } = await apps.register(call, request)
      return messageOf(app, { clientId: app.clientId, clientSecret: secret })
    },
    read: async (_call, { id }) => messageOf(orNotFound(isId(id) ? await apps.find(id) : undefined, `no app ${id}`)),
  })
