import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, text } from '../../http/fields.ts'

// Staff endpoints for the apps that hold tokens of an account. The client API has none, so these are on no public route.

const PATH = '/admin/accounts/:id/apps'

export const listAccountApps = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageUserAccess, 'admin:read:accounts'),
  summary: 'Apps that hold tokens of an account.',
  handle: async ({ call, params }, { staffAccounts }) => (await staffAccounts.listApps(call, { accountId: params['id'] ?? '' })).apps,
})

export const revokeAccountTokens = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageUserAccess, 'admin:write:accounts'),
  summary: 'Revokes the tokens that an app holds of an account, or all of it.',
  input: form({ app_id: text() }),
  handle: ({ call, params, input, viewerId }, { staffAccounts }) =>
    staffAccounts.revokeTokens(call, { accountId: params['id'] ?? '', appId: input.app_id ?? '', staffId: viewerId }),
})
