import type { StatusPage } from '@rookery/contracts/statuses'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { recordId, statusReply } from './replies.ts'

type Act = (call: Call, request: { viewerId: string; statusId: string }) => Promise<StatusPage>

const act = (path: string, summary: string, choose: (pins: Clients['pins']) => Act) =>
  endpoint({
    method: 'POST',
    path,
    access: User('write:accounts'),
    summary,
    handle: async ({ call, params, viewerId }, clients) =>
      statusReply(await choose(clients.pins)(call, { viewerId, statusId: recordId(params) }), clients),
  })

export const pinStatus = act('/api/v1/statuses/:id/pin', "Pins one's own status to one's profile.", (pins) => pins.pin)
export const unpinStatus = act('/api/v1/statuses/:id/unpin', "Unpins a status from one's profile.", (pins) => pins.unpin)
