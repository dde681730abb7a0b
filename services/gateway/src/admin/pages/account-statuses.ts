import { html } from '@rookery/pages'
import { actOnStatuses, listAccountStatuses } from '../endpoints/statuses.ts'
import type { Status } from '../entities.ts'
import type { AdminPage } from '../page.ts'
import { filtered, pagerPart } from '../parts.ts'
import { filesOfPost, postsPart } from '../posts.ts'
import { ask } from '../visit.ts'

const PAGE = 40

/** GET /admin/accounts/:id/statuses: what someone posted lately, and what can be done about it. */
export const accountStatusesPage: AdminPage = {
  path: '/admin/accounts/:id/statuses',
  section: 'accounts',
  access: listAccountStatuses.access,
  async read(visit) {
    const { texts, params, call, clients } = visit
    const { body, page } = await ask(visit, listAccountStatuses, { ...params, ...filtered(visit, []), limit: String(PAGE) })
    const statuses = body as Status[]
    const account = await clients.accounts.read(call, { id: params['id'] ?? '', viewerId: '', withNewcomers: true })
    return {
      title: texts.statuses.by(`@${JSON.parse(clients.render.account(account).toString()).acct}`),
      lead: texts.statuses.lead,
      body: html`${postsPart(visit, { statuses, none: texts.none, values: {} })}${pagerPart(visit, page)}
<p class="foot"><a href="/admin/accounts/${params['id']}">${texts.back}</a></p>`,
      files: statuses.flatMap(filesOfPost),
    }
  },
  forms: { statuses: { endpoint: actOnStatuses, done: 'acted' } },
}
