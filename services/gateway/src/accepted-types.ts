import { LIMITS } from '@rookery/contracts/limits'
import type { AttachmentsDefinition } from '@rookery/contracts/media'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** How long an answer is cached, in milliseconds: it changes only when media is restarted. */
const USED_FOR = 60_000

/**
 * The content types of files that may be uploaded for statuses; the last known ones while media is unreachable, those of pictures at first.
 */
export type AcceptedTypes = (call: Call) => Promise<readonly string[]>

/** Asks media for its accepted types, once a minute. */
export const acceptedTypes = ({
  attachments,
  clock,
}: {
  attachments: Client<typeof AttachmentsDefinition>
  clock: Clock
}): AcceptedTypes => {
  let known: readonly string[] = LIMITS.media.imageTypes
  let usedUntil = 0
  return async (call) => {
    if (clock.now() < usedUntil) return known
    const answer = await attachments.readAccepted(call, {}).catch(() => undefined)
    if (answer) {
      known = answer.contentTypes
      usedUntil = clock.now() + USED_FOR
    }
    return known
  }
}
