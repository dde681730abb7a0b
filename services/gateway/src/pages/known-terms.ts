import type { InstanceDefinition } from '@rookery/contracts/federation'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** TTL of the answer: staff publish their first terms only once. */
const KEPT_MILLISECONDS = 60_000

/**
 * Whether the server has terms of service, which every page links: cached for a minute, and as last known while federation is unavailable.
 */
export const createKnownTerms = ({ instance, clock }: { instance: Client<typeof InstanceDefinition>; clock: Clock }) => {
  let hasTerms = false
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    isKnown: () => hasTerms,
    async ask(call: Call): Promise<boolean> {
      if (clock.now() < askedAt + KEPT_MILLISECONDS) return hasTerms
      askedAt = clock.now()
      hasTerms = await instance.read(call, {}).then(
        (card) => card.hasTerms,
        () => hasTerms,
      )
      return hasTerms
    },
  }
}
