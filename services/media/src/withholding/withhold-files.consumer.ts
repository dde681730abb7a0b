import type { AccountSuspended } from '@rookery/contracts/events'
import { type Consumer, consumer } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { WithheldOwnerWriter } from './withheld-owner.store.ts'

/** How long the end of a suspension is remembered, in milliseconds: longer than older events or files may arrive late. */
const REMEMBERED = 7 * 86_400_000

/** The last decision on each account. */
const lastOf = (decisions: readonly AccountSuspended[]): AccountSuspended[] => {
  const last = new Map<string, AccountSuspended>()
  for (const decision of decisions) {
    const known = last.get(decision.accountId)
    if (!known || BigInt(known.actId) < BigInt(decision.actId)) last.set(decision.accountId, decision)
  }
  return [...last.values()]
}

/** Withholds the files of suspended people until the suspension is lifted. `changed` runs once that is committed. */
export const withholdFiles = ({ clock, changed }: { clock: Clock; changed: () => void }): Consumer<MediaTables> =>
  consumer({
    name: 'media.withheld',
    topic: 'statuses.v1',
    kinds: ['accountSuspended', 'accountRemoved'],
    isIdempotent: true,
    handle: async (tx, received) => {
      const events = received.map(({ event }) => event)
      const decisions = lastOf(events.flatMap((event) => (event.$case === 'accountSuspended' ? [event.value] : [])))
      const removed = events.flatMap((event) => (event.$case === 'accountRemoved' ? [event.value.accountId] : []))
      const writer = new WithheldOwnerWriter(tx)
      const endsAt = new Date(clock.now() + REMEMBERED)
      if (decisions.length > 0) await writer.decide(decisions, endsAt)
      if (removed.length > 0) await writer.end(removed, endsAt)
    },
    publishAfter: async () => changed(),
  })
