import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { blockAccount } from './block-account.ts'
import { muteAccount } from './mute-account.ts'
import { type Restriction, readRestrictions } from './restriction.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Moved = { fromId: string; toId: string }

const AT_A_TIME = 100

/** Has the people of this server who block or mute someone who moved do the same to the new account, unless they follow it. */
export const carryRestrictions = (deps: Deps) => {
  const [block, mute] = [blockAccount(deps), muteAccount(deps)]
  const secondsUntil = (time: Date | null) => (time ? Math.max(1, Math.ceil((time.getTime() - deps.clock.now()) / 1000)) : 0)
  const carry = async ({ accountId, blocks, mutes, notifications, expiresAt }: Restriction, toId: string): Promise<void> => {
    const pair = { accountId, targetId: toId }
    if (blocks) await block(pair)
    if (mutes) await mute(pair, { notifications, durationSeconds: secondsUntil(expiresAt) })
  }
  return async ({ fromId, toId }: Moved, signal?: AbortSignal): Promise<void> => {
    const readAfter = (after: string) =>
      readRestrictions(deps.database, { fromId, toId, after, limit: AT_A_TIME, now: new Date(deps.clock.now()) })
    for (let people = await readAfter('0'); people.length > 0; people = await readAfter(people.at(-1)!.accountId)) {
      for (const each of people) {
        signal?.throwIfAborted()
        await carry(each, toId)
      }
    }
  }
}
