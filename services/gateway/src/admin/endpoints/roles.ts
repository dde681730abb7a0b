import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, text } from '../../http/fields.ts'

/** Changes the role of an account. The client API has no such endpoint, so this is on no public route. */
export const changeRole = endpoint({
  method: 'POST',
  path: '/admin/accounts/:id/role',
  access: Staff(PERMISSIONS.manageRoles, 'admin:write'),
  summary: 'Gives someone another role.',
  input: form({ role: text() }),
  handle: async ({ call, params, input, viewerId }, { staffAccounts }) =>
    (await staffAccounts.changeRole(call, { accountId: params['id'] ?? '', staffId: viewerId, role: input.role ?? '' })).logins,
})
