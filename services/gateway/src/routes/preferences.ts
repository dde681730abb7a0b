import { preferencesEntity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readPreferences = endpoint({
  method: 'GET',
  path: '/api/v1/preferences',
  access: User('read:accounts'),
  summary: 'What one’s posts begin with, and how apps begin to show what one reads.',
  handle: async ({ call, viewerId }, { accounts }) => preferencesEntity(await accounts.readCredentials(call, { accountId: viewerId })),
})
