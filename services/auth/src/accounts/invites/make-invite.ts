import { type Inviters, mayInvite } from '@rookery/contracts/permissions'
import { type Database, transact } from '@rookery/database'
import { notAllowed } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { isActive, type Logins } from '../../logins/index.ts'
import type { Throttle } from '../../throttle.ts'
import { goodUntil, MAX_GOOD_INVITES, type WantedInvite } from './invite.rules.ts'
import { InviteWriter } from './invite.store.ts'
import { makeInviteCode } from './invite-code.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; ids: Ids; logins: Logins; throttle: Throttle; config: { inviters: Inviters } }

/** Why no invitation was created: too many are open, or the rate limit is reached, with the time until a retry. */
type InviteRefusal = { reason: 'too_many' } | { reason: 'throttled'; retryAfterSeconds: number }

/** Creates an invitation, unless the account has too many. @throws Failure forbidden if the account may not invite people */
export const makeInvite =
  (deps: Deps) =>
  async (accountId: string, wanted: WantedInvite): Promise<InviteRefusal | undefined> => {
    const retryAfterSeconds = await deps.throttle([{ limit: 'invites', by: accountId }])
    if (retryAfterSeconds !== undefined) return { reason: 'throttled', retryAfterSeconds }
    return transact(deps.database.db, async (tx): Promise<InviteRefusal | undefined> => {
      // Locks the login, so that concurrent requests count one after the other.
      const login = await deps.logins.hold(tx, accountId)
      if (!login || !isActive(login) || !mayInvite(login.role, deps.config.inviters)) throw notAllowed(`${accountId} may not invite people`)
      const writer = new InviteWriter(tx)
      const now = deps.clock.now()
      const open = await writer.countOpen(accountId, new Date(now), MAX_GOOD_INVITES)
      if (open >= MAX_GOOD_INVITES) return { reason: 'too_many' }
      await writer.add({
        id: deps.ids.next(),
        code: makeInviteCode(),
        accountId,
        maxUses: wanted.maxUses,
        uses: 0,
        goodUntil: goodUntil(wanted, now),
        autofollow: wanted.autofollow,
        createdAt: new Date(now),
      })
      return undefined
    })
  }
