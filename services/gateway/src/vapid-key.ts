import type { PushDefinition } from '@rookery/contracts/notifications'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** An operator changes the key seldom, and the old one goes on working. */
const KEPT_MILLISECONDS = 60_000

/** The VAPID public key, asked for once a minute; the last one known while notifications cannot be asked, undefined when there is none. */
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
