import { endOwnInvite } from './end-invite.ts'
import { findInvite } from './find-invite.ts'
import { followInviter } from './follow-inviter.job.ts'
import { forgetInvites } from './invite.store.ts'
import { createInvitesRpc } from './invites.rpc.ts'
import { readOwnInvites } from './list-invites.ts'
import { makeInvite } from './make-invite.ts'
import { requestFollow, useInvite } from './use-invite.ts'

export { LIFETIMES, MAX_GOOD_INVITES, MAX_USES, USUAL_LIFETIME, wantedInvite } from './invite.rules.ts'
export { inviteFault, isInviteFault } from './invite-fault.ts'

type Deps = Parameters<typeof createInvitesRpc>[0] & Parameters<typeof makeInvite>[0] & Parameters<typeof followInviter>[0]

/** As long as people and staff look back at what is over. */
const KEPT_MILLISECONDS = 30 * 86_400_000

/** Links by which people sign up, and who came by whose. */
export const createInvites = (deps: Deps) => ({
  find: findInvite(deps),
  make: makeInvite(deps),
  own: readOwnInvites(deps),
  end: endOwnInvite(deps),
  use: useInvite(deps),
  /** To be called in the transaction that lets someone in. */
  requestFollow,
  /** Deletes invitations that are over for a month. */
  forgetOver: (now: Date) => forgetInvites(deps.database.db, new Date(now.getTime() - KEPT_MILLISECONDS)),
  rpc: [createInvitesRpc(deps)],
  jobs: [followInviter(deps)],
})

export type Invites = ReturnType<typeof createInvites>
