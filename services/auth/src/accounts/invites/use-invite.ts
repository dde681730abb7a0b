import type { Inviters } from '@rookery/contracts/permissions'
import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { SERVICE } from '../../service.ts'
import { circumstancesOf } from './find-invite.ts'
import { FOLLOW_INVITER } from './follow-inviter.job.ts'
import { InviteReader, InviteWriter } from './invite.store.ts'
import { inviteFault } from './invite-fault.ts'

type Deps = { clock: Clock; config: { inviters: Inviters } }

/** Adds the job that makes an account follow its inviter, if the invitation asks for it, with the transaction. */
export const requestFollow = async (tx: Tx<AuthTables>, accountId: string): Promise<void> => {
  if ((await new InviteReader(tx).followDue(accountId)) === undefined) return
  await addJob(tx, SERVICE, FOLLOW_INVITER, { accountId }, { key: `${FOLLOW_INVITER}:${accountId}` })
}

/**
 * Uses an invitation in the transaction that writes the login, so that a failed sign-up uses none. `hasJoined` says whether the account
 * needs no confirmation and no approval. @throws Failure forbidden if the invitation is no longer valid
 */
export const useInvite =
  (deps: Deps) =>
  async (tx: Tx<AuthTables>, inviteId: string, { accountId, hasJoined }: { accountId: string; hasJoined: boolean }): Promise<void> => {
    const writer = new InviteWriter(tx)
    const used = await writer.use(inviteId, circumstancesOf(deps))
    if (!used) throw inviteFault('forbidden')
    await writer.addInvitee({ accountId, inviterId: used.accountId, inviteId, isFollowDue: used.autofollow })
    if (hasJoined) await requestFollow(tx, accountId)
  }
