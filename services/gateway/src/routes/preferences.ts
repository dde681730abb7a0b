import { preferencesEntity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readPreferences = endpoint({
  method: 'GET',
  path: '/api/v1/preferences',
  access: User('read:accounts'),
  summary: 'The viewer’s posting defaults.',
  handle: async ({ call, viewerId }, { accounts }) => preferencesEntity(await accounts.readCredentials(call, { accountId: viewerId })),
})
