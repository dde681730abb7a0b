import type { ListedSubscription } from '@rookery/contracts/notifications'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { settingsName } from '@rookery/pages'
import type { SignedInPage } from '../../admin/page.ts'
import { actPart, recordsPart, timePart } from '../../admin/parts.ts'
import { read } from '../../admin/visit.ts'
import { User } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

/** All push subscriptions of a person. Clients see only that of their token, so it is on no public route. */
const listSubscriptions = endpoint({
  method: 'GET',
  path: '/settings/push',
  access: User('push'),
  summary: 'Where someone is alerted of notifications.',
  handle: async ({ call, viewerId }, { push }) => (await push.list(call, { accountId: viewerId })).subscriptions,
})

const removeSubscription = endpoint({
  method: 'DELETE',
  path: '/settings/push/:id',
  access: User('push'),
  summary: 'Ends the alerts of a device, whose app stays signed in.',
  handle: async ({ call, params, viewerId }, { push }) => {
    const id = params['id'] ?? ''
    if (!isId(id)) throw notFound(`${id} is no id`)
    await push.remove(call, { accountId: viewerId, id })
    return {}
  },
})

/** GET /settings/push: devices that receive push notifications. */
export const pushPage: SignedInPage = {
  path: '/settings/push',
  section: 'push',
  access: listSubscriptions.access,
  async read(visit) {
    const { push: texts } = SETTINGS_TEXTS[visit.language]
    const records = (await read<ListedSubscription[]>(visit, listSubscriptions)).map(({ id, host, createdAtMilliseconds, alerts }) => ({
      title: host,
      facts: [timePart(visit, createdAtMilliseconds), texts.alerts(alerts.map((type) => texts.types[type] ?? type).join(', '))],
      acts: [actPart(visit, { form: 'remove', label: visit.texts.remove, values: { id } })],
    }))
    return { title: settingsName(visit.language, 'push'), lead: texts.lead, body: recordsPart(records, texts.none) }
  },
  forms: { remove: { endpoint: removeSubscription, done: 'removed' } },
}
