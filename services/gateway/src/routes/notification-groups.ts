import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { Group, GroupPage } from '@rookery/contracts/notifications'
import { detailEntity, jsonList, notificationGroupEntity, partialAccountEntity } from '@rookery/entities'
import { Failure } from '@rookery/failures'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint, Reply, TIMELINE } from '../http/endpoint.ts'
import { form, limit, pageOf, paging, text, textList } from '../http/fields.ts'
import { notificationFilter, notificationFilterOf } from './notification-filter.ts'
import { accountsReply, reportsIn } from './replies.ts'

const EXPANSIONS = ['full', 'partial_avatars']

const grouping = { ...notificationFilter, grouped_types: textList() }

/** Whether accounts other than the latest of each group are shown in short. @throws Failure malformed for an unknown expansion */
const isPartial = (expansion: string | undefined) => {
  if (expansion !== undefined && !EXPANSIONS.includes(expansion)) {
    throw new Failure('malformed', `Invalid value for 'expand_accounts': '${expansion}', allowed values are ${EXPANSIONS.join(', ')}`)
  }
  return expansion === 'partial_avatars'
}

/** GroupedNotificationsResults (beyond-the-spec 1.1): groups, with each account and status once. */
const resultsOf = (
  { groups, views, reports }: GroupPage,
  { render }: Clients,
  options: { isPartial: boolean; isList: boolean },
): Buffer => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const reportOf = reportsIn({ views, reports }, render)
  const parsedReport = ({ reportId }: Group) => {
    const json = reportOf(reportId)
    return json && JSON.parse(json.toString())
  }
  const sampled = [...new Set(groups.flatMap((group) => group.sampleAccountIds))]
  const latest = new Set(groups.flatMap((group) => group.sampleAccountIds[0] ?? []))
  const whole = options.isPartial ? sampled.filter((id) => latest.has(id)) : sampled
  const short = options.isPartial ? sampled.filter((id) => !latest.has(id)) : []
  const jsonOfAccount = (id: string) => {
    const view = accounts.get(id)
    return view ? [render.account(view)] : []
  }
  const partial = short.flatMap((id) => jsonOfAccount(id).map((json) => partialAccountEntity(JSON.parse(json.toString()))))
  const statusIds = [...new Set(groups.map((group) => group.statusId))].filter(Boolean)
  const detailOf = ({ detail, sampleAccountIds: [id = ''], latestAtMilliseconds: createdAtMilliseconds }: Group) =>
    Object.assign({}, ...jsonOfAccount(id).map((account) => detailEntity(detail, { account, createdAtMilliseconds })))
  const list = groups.map((group) =>
    notificationGroupEntity(group, { report: parsedReport(group), isList: options.isList, detail: detailOf(group) }),
  )
  const rest = { ...(options.isPartial && { partial_accounts: partial }), notification_groups: list }
  return Buffer.concat([
    Buffer.from('{"accounts":'),
    jsonList(whole.flatMap(jsonOfAccount)),
    Buffer.from(',"statuses":'),
    views ? render.statusesOf(views, statusIds) : Buffer.from('[]'),
    Buffer.from(`,${JSON.stringify(rest).slice(1)}`),
  ])
}

type GroupFilter = z.output<ReturnType<typeof form<typeof grouping>>>
const askedOf = (input: GroupFilter, viewerId: string) => ({ viewerId, ...notificationFilterOf(input) })

export const listNotificationGroups = endpoint({
  method: 'GET',
  path: '/api/v2/notifications',
  access: User('read:notifications'),
  summary: 'The notifications of the viewer in groups, latest first.',
  input: form({ ...paging(PAGE_SIZES.notificationGroups), ...grouping, expand_accounts: text() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const partial = isPartial(input.expand_accounts)
    const notifications = { ...askedOf(input, viewerId), page: pageOf(input) }
    const page = await clients.groups.list(call, { notifications, groupedTypes: input.grouped_types })
    const body = resultsOf(page, clients, { isPartial: partial, isList: true })
    return new Reply(body, { page: { cursors: page.cursors, style: TIMELINE } })
  },
})

export const countUnreadNotificationGroups = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/unread_count',
  access: User('read:notifications'),
  summary: 'How many groups have notifications after what the viewer has read.',
  input: form({ limit: limit(PAGE_SIZES.unread), ...grouping }),
  handle: async ({ call, input, viewerId }, { groups }) => {
    const notifications = { ...askedOf(input, viewerId), limit: input.limit }
    return { count: (await groups.countUnread(call, { notifications, groupedTypes: input.grouped_types })).count }
  },
})

export const readNotificationGroup = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key',
  access: User('read:notifications'),
  summary: 'One group of notifications.',
  handle: async ({ call, params, viewerId }, clients) => {
    const page = await clients.groups.read(call, { viewerId, groupKey: params['group_key'] ?? '' })
    return new Reply(resultsOf(page, clients, { isPartial: false, isList: false }))
  },
})

export const dismissNotificationGroup = endpoint({
  method: 'POST',
  path: '/api/v2/notifications/:group_key/dismiss',
  access: User('write:notifications'),
  summary: 'Removes the notifications of a group.',
  handle: async ({ call, params, viewerId }, { groups }) => {
    await groups.dismiss(call, { viewerId, groupKey: params['group_key'] ?? '' })
    return {}
  },
})

export const listNotificationGroupAccounts = endpoint({
  method: 'GET',
  path: '/api/v2/notifications/:group_key/accounts',
  access: User('read:notifications'),
  summary: 'The accounts of a group, latest first.',
  input: form(paging(PAGE_SIZES.people)),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const page = await clients.groups.listAccounts(call, { viewerId, groupKey: params['group_key'] ?? '', page: pageOf(input) })
    return accountsReply(page, clients)
  },
})
