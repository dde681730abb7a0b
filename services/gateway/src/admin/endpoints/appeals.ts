import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { invalid, notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { form, id, limit, text } from '../../http/fields.ts'

// Staff endpoints for appeals. The client API has none, so these are on no public route.

const PATH = '/admin/appeals'

export const listAppeals = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageAppeals, 'admin:read'),
  summary: 'Appeals that are to be decided, the latest act first.',
  input: form({ max_id: id('max_id'), limit: limit(PAGE_SIZES.staff) }),
  handle: async ({ call, input }, { staffAccounts }) =>
    (await staffAccounts.listAppeals(call, { page: { maxId: input.max_id, limit: input.limit } })).appeals,
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageAppeals, 'admin:write'),
  summary: 'Approves or rejects an appeal.',
  input: form({ appeal_id: text(), decision: text() }),
  handle: async ({ call, input, viewerId: staffId }, { staffAccounts }) => {
    const { appeal_id: appealId = '', decision } = input
    if (!isId(appealId)) throw notFound(`${appealId} is no id`)
    if (decision !== 'approve' && decision !== 'reject') throw invalid('Decision is not included in the list')
    await staffAccounts.decideAppeal(call, { id: appealId, staffId, isApproved: decision === 'approve' })
    return {}
  },
})
