import type { StatusPage } from '@rookery/contracts/statuses'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { recordId, statusReply } from './replies.ts'

type Act = (call: Call, request: { viewerId: string; statusId: string }) => Promise<StatusPage>

const act = (path: string, summary: string, choose: (threads: Clients['threads']) => Act) =>
  endpoint({
    method: 'POST',
    path,
    access: User('write:mutes'),
    summary,
    handle: async ({ call, params, viewerId }, clients) =>
      statusReply(await choose(clients.threads)(call, { viewerId, statusId: recordId(params) }), clients),
  })

export const muteThread = act(
  '/api/v1/statuses/:id/mute',
  'Mutes the thread of a status: no notifications from it.',
  (threads) => threads.mute,
)
export const unmuteThread = act('/api/v1/statuses/:id/unmute', 'Unmutes the thread of a status.', (threads) => threads.unmute)
