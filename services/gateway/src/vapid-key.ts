import type { PushDefinition } from '@rookery/contracts/notifications'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** TTL of the key: operators rarely change it, and the old one keeps working. */
const KEPT_MILLISECONDS = 60_000

/** The VAPID public key, cached for a minute; the last known one while notifications is unavailable, undefined if there is none. */
export const createVapidKey = ({ push, clock }: { push: Client<PushDefinition>; clock: Clock }) => {
  let key: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  return async (call: Call): Promise<string | undefined> => {
    if (key !== undefined && clock.now() < askedAt + KEPT_MILLISECONDS) return key
    const answer = await push.readServerKey(call, {}).catch(() => undefined)
    if (!answer) return key
    askedAt = clock.now()
    key = answer.publicKey
    return key
  }
}
