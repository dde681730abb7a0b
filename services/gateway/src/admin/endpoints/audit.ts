import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, id, limit } from '../../http/fields.ts'

/** Lists the acts of staff and operators. The client API has no such endpoint, so it is on no public route. */
export const listActs = endpoint({
  method: 'GET',
  path: '/admin/audit',
  access: Staff(PERMISSIONS.viewAuditLog, 'admin:read'),
  summary: 'What staff and operators did, latest first.',
  input: form({ max_id: id('max_id'), limit: limit({ standard: 50, max: 200 }) }),
  handle: async ({ call, input }, { staffAccounts }) =>
    (await staffAccounts.listActs(call, { page: { maxId: input.max_id, limit: input.limit } })).acts,
})
