import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { invalid } from '@rookery/failures'
import { Staff } from '../../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../../http/endpoint.ts'
import { flag, form, id, pageOf, paging, text, textList } from '../../http/fields.ts'
import { refuseForeign, refuseForeignStatuses, refuseLongText } from '../../staff-warnings.ts'

// Staff endpoints for an account's posts. The client API has none, so these are on no public route.

const PATH = '/admin/accounts/:id/statuses'

export const listAccountStatuses = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageReports, 'admin:read:accounts'),
  summary: 'What an account posted: what is open to everyone, and what reports on the account name.',
  input: form(paging(PAGE_SIZES.staff)),
  handle: async ({ call, params, input }, { staffStatuses, render }) => {
    const page = await staffStatuses.list(call, { accountId: params['id'] ?? '', page: pageOf(input) })
    return new Reply(render.statuses(page), { page: { cursors: page.cursors, style: STATUS_LIST } })
  },
})

const TYPES = new Set(['delete_statuses', 'mark_statuses_as_sensitive'])

export const actOnStatuses = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageReports, 'admin:write:accounts'),
  summary: 'Deletes statuses of an account, or marks them as sensitive, with a text, a mail and the report that it answers.',
  input: form({
    status_ids: textList(),
    type: text(),
    text: text(),
    report_id: id('report_id'),
    send_email_notification: flag(),
    resolve: flag(),
  }),
  handle: async ({ call, params, input, viewerId: staffId }, clients) => {
    const accountId = params['id'] ?? ''
    const { type = '', text: words = '', status_ids: statusIds } = input
    if (!TYPES.has(type)) throw invalid('Type is not included in the list')
    refuseLongText(words)
    const reportId = (input.resolve && input.report_id) || ''
    if (reportId) await refuseForeign(call, reportId, accountId, clients)
    await refuseForeignStatuses(call, statusIds ?? [], accountId, clients)
    const sendsMail = input.send_email_notification ?? true
    await clients.staffAccounts.act(call, { accountId, staffId, action: type, text: words, reportId, sendsMail, statusIds })
    return {}
  },
})
