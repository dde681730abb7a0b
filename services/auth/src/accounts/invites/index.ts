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

/** How long ended invitations are kept for their owners and staff, in milliseconds. */
const KEPT_MILLISECONDS = 30 * 86_400_000

/** Invitation links, and who signed up by them. */
export const createInvites = (deps: Deps) => ({
  find: findInvite(deps),
  make: makeInvite(deps),
  own: readOwnInvites(deps),
  end: endOwnInvite(deps),
  use: useInvite(deps),
  /** To be called in the transaction in which the account joins. */
  requestFollow,
  /** Deletes invitations that ended 30 days ago. */
  forgetOver: (now: Date) => forgetInvites(deps.database.db, new Date(now.getTime() - KEPT_MILLISECONDS)),
  rpc: [createInvitesRpc(deps)],
  jobs: [followInviter(deps)],
})

export type Invites = ReturnType<typeof createInvites>
