import { PAGE_SIZES } from '@rookery/contracts/limits'
import { extendedJson, jsonList, timestamp } from '@rookery/entities'
import { User } from '../http/access.ts'
import { ACCOUNT_LIST, endpoint, Reply } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'

export const readMutes = endpoint({
  method: 'GET',
  path: '/api/v1/mutes',
  access: User('read:mutes'),
  summary: 'Muted accounts, with the end of each mute.',
  input: form(paging(PAGE_SIZES.people)),
  handle: async ({ call, input, viewerId }, { graph, render }) => {
    const { page, expiresAtSeconds } = await graph.readMutes(call, { accountId: viewerId, viewerId, page: pageOf(input) })
    const accounts = (page?.accounts ?? []).map((view, index) => {
      const seconds = expiresAtSeconds[index]
      const expiry = seconds ? Buffer.from(`"${timestamp(seconds * 1000)}"`) : undefined
      return extendedJson(render.account(view), { mute_expires_at: expiry })
    })
    return new Reply(jsonList(accounts), { page: { cursors: page?.cursors, style: ACCOUNT_LIST } })
  },
})
