import { mayActOn } from '@rookery/contracts/permissions'
import { AccountBody } from '@rookery/contracts/statuses'
import { html } from '@rookery/pages'
import { actOnStatuses, listAccountStatuses } from '../endpoints/statuses.ts'
import type { Status } from '../entities.ts'
import type { AdminPage } from '../page.ts'
import { filtered, pagerPart } from '../parts.ts'
import { filesOfPost, finalOnPosts, postsPart } from '../posts.ts'
import { roleNamed } from '../rank.rules.ts'
import { ask } from '../visit.ts'

const PAGE = 40

/** GET /admin/accounts/:id/statuses: an account's latest posts, and acts on them. */
export const accountStatusesPage: AdminPage = {
  path: '/admin/accounts/:id/statuses',
  section: 'accounts',
  access: listAccountStatuses.access,
  async read(visit) {
    const { texts, params, call, clients } = visit
    const { body, page } = await ask(visit, listAccountStatuses, { ...params, ...filtered(visit, []), limit: String(PAGE) })
    const statuses = body as Status[]
    const account = AccountBody.decode(
      (await clients.accounts.read(call, { id: params['id'] ?? '', viewerId: '', withNewcomers: true })).body,
    )
    const isBelow = mayActOn(
      { accountId: visit.holder.accountId, role: roleNamed(visit.holder.role) },
      { accountId: account.id, role: roleNamed(account.role) },
    )
    return {
      title: texts.statuses.by(`@${account.username}${account.origin ? `@${account.origin.domain}` : ''}`),
      lead: texts.statuses.lead,
      body: html`${postsPart(visit, { statuses, none: texts.none, values: {}, mayAct: isBelow })}${pagerPart(visit, page)}
<p class="foot"><a href="/admin/accounts/${params['id']}">${texts.back}</a></p>`,
      files: statuses.flatMap(filesOfPost),
    }
  },
  forms: { statuses: { endpoint: actOnStatuses, done: 'acted', final: finalOnPosts } },
}
