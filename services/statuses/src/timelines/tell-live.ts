import { LiveMessage } from '@rookery/contracts/events'
import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Logger } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'

/**
 * Has live messages made and sent once the transaction is kept, so that who is there is asked when whoever comes later finds what was
 * written. They may be lost: what they tell is kept.
 */
export const tellLive = (
  { live, log }: { live: LiveChannel; log: Logger },
  tx: Tx<StatusesTables>,
  make: () => Promise<LiveMessage[]> | LiveMessage[],
): void =>
  afterCommit(tx, async () => {
    try {
      for (const message of await make()) live.publish(LiveMessage.encode(message).finish())
    } catch (error) {
      log.warn({ err: error }, 'live statuses were lost')
    }
  })
