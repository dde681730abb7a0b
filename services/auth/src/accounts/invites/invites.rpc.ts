import { InvitesDefinition } from '@rookery/contracts/auth'
import { notAllowed } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { AddressBlocks } from '../../address-blocks/index.ts'
import { endInvite } from './end-invite.ts'
import { findInvite } from './find-invite.ts'
import { inviteFault } from './invite-fault.ts'
import { listInvites } from './list-invites.ts'

type Deps = Parameters<typeof findInvite>[0] &
  Parameters<typeof listInvites>[0] &
  Parameters<typeof endInvite>[0] & { addressBlocks: Pick<AddressBlocks, 'severityFor'> }

/** The service Invites of the contract. */
export const createInvitesRpc = (deps: Deps): Handler => {
  const [find, end] = [findInvite(deps), endInvite(deps)]
  return handler(InvitesDefinition, {
    async check(_call, request) {
      if (!(await find(request))) throw inviteFault('unauthenticated')
      const severity = await deps.addressBlocks.severityFor(request.address)
      if (severity === 'sign_up_block' || severity === 'no_access') throw notAllowed(`sign-ups from this network are blocked: ${severity}`)
      return {}
    },
    list: listInvites(deps),
    async end(_call, request) {
      await end(request)
      return {}
    },
  })
}
