import { isOutage } from '@rookery/failures'
import type { LiveChannel, Presence } from './ports.ts'

/**
 * Publishes the live messages that `make` gives for the accounts with an open stream. Presence is read first, so everything that is committed before
 * the call is visible to those who connect later. When something keeps messages from being published, a gap is reported in their place.
 * @throws what `make` throws, without a gap when a database is unreachable: the caller tries again
 */
export type PublishLive = (make: (connected: readonly string[]) => Promise<Uint8Array[]> | Uint8Array[]) => Promise<void>

/** Announces over a live channel. */
export const livePublisher =
  ({ live, presence }: { live: LiveChannel; presence: Presence }): PublishLive =>
  async (make) => {
    const connected = await presence.connected()
    if (!connected) return live.reportGap()
    try {
      const messages = await make(connected)
      const taken = await Promise.all(messages.map((message) => live.publish(message)))
      if (!taken.every(Boolean)) live.reportGap()
    } catch (error) {
      if (!isOutage(error)) live.reportGap()
      throw error
    }
  }
