import { type Inviters, mayInvite, RANKS } from '@rookery/contracts/permissions'
import type { Database } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Throttle } from '../../throttle.ts'
import type { Circumstances } from './invite.predicates.ts'
import { type Invite, InviteReader } from './invite.store.ts'
import { isInviteCode } from './invite-code.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; throttle: Throttle; config: { inviters: Inviters } }

/** The time and the inviting roles, which decide whether invitations are valid. */
export const circumstancesOf = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Circumstances => ({
  now: new Date(clock.now()),
  roles: RANKS.filter((role) => mayInvite(role, config.inviters)),
})

/**
 * A valid invitation by its code. Invalid codes are rate limited by network address.
 * @throws Failure exhausted after too many invalid codes
 */
export const findInvite =
  (deps: Deps) =>
  async ({ code, address }: { code: string; address: string }): Promise<Invite | undefined> => {
    const count = (amount: number) => deps.throttle([{ limit: 'inviteCodes', by: address, amount }])
    if ((await count(0)) !== undefined) throw new Failure('exhausted', 'Too many requests')
    const found = isInviteCode(code) ? await new InviteReader(deps.database.db).findGood(code, circumstancesOf(deps)) : undefined
    if (!found) await count(1)
    return found
  }
