import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { AnsweredRequests, AnswerRequestsRequest, NotificationRequestPage } from '@rookery/contracts/notifications'
import { jsonList, notificationRequestJson } from '@rookery/entities'
import { notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging, textList } from '../http/fields.ts'
import { recordId } from './replies.ts'

const PATH = '/api/v1/notifications/requests'

/** Requests as JSON, in order; those whose account is gone are left out. */
const jsonOf = ({ requests, views }: NotificationRequestPage, { render }: Clients): Buffer[] => {
  const accounts = new Map(views?.accounts.map((view) => [view.id, view]))
  const statuses = views && render.statusesById(views)
  return requests.flatMap((request) => {
    const account = accounts.get(request.accountId)
    return account ? [notificationRequestJson(request, { account: render.account(account), status: statuses?.get(request.statusId) })] : []
  })
}

export const listNotificationRequests = endpoint({
  method: 'GET',
  path: PATH,
  access: User('read:notifications'),
  summary: 'Accounts whose mentions the policy holds back, newest first.',
  input: form(paging(PAGE_SIZES.people)),
  handle: async ({ call, input, viewerId }, clients) => {
    const page = await clients.notificationRequests.list(call, { viewerId, page: pageOf(input) })
    return new Reply(jsonList(jsonOf(page, clients)), { page: { cursors: page.cursors, style: STATUS_LIST } })
  },
})

export const readMerged = endpoint({
  method: 'GET',
  path: `${PATH}/merged`,
  access: User('read:notifications'),
  summary: 'Whether the notifications of all accepted requests have appeared.',
  handle: async ({ call, viewerId }, { notificationRequests }) => ({
    merged: (await notificationRequests.readMerged(call, { viewerId })).isMerged,
  }),
})

export const readNotificationRequest = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: User('read:notifications'),
  summary: 'One request.',
  handle: async ({ call, params, viewerId }, clients) =>
    orNotFound(jsonOf(await clients.notificationRequests.read(call, { id: recordId(params), viewerId }), clients)[0]),
})

type Answer = (call: Call, request: AnswerRequestsRequest) => Promise<AnsweredRequests>
type Answering = { act: string; summary: string; choose: (requests: Clients['notificationRequests']) => Answer }

const ACCEPT: Answering = {
  act: 'accept',
  summary: 'Lets everything of an account through, with what was held back.',
  choose: (requests) => requests.accept,
}
const DISMISS: Answering = {
  act: 'dismiss',
  summary: 'Removes a request; what was held back stays so.',
  choose: (requests) => requests.dismiss,
}

const answerOne = ({ act, summary, choose }: Answering) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:id/${act}`,
    access: User('write:notifications'),
    summary,
    handle: async ({ call, params, viewerId }, { notificationRequests }) => {
      const id = recordId(params)
      const { count } = await choose(notificationRequests)(call, { viewerId, ids: [id] })
      if (count === 0) throw notFound(`request ${id} is not ${viewerId}'s`)
      return {}
    },
  })

const answerSeveral = ({ act, summary, choose }: Answering) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/${act}`,
    access: User('write:notifications'),
    summary: `${summary} The same for several; those that are not there are passed over.`,
    input: form({ id: textList() }),
    handle: async ({ call, input, viewerId }, { notificationRequests }) => {
      await choose(notificationRequests)(call, { viewerId, ids: input.id })
      return {}
    },
  })

export const acceptNotificationRequest = answerOne(ACCEPT)
export const dismissNotificationRequest = answerOne(DISMISS)
export const acceptNotificationRequests = answerSeveral(ACCEPT)
export const dismissNotificationRequests = answerSeveral(DISMISS)
