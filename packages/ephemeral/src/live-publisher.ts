import { isOutage } from '@rookery/failures'
import type { LiveChannel, Presence } from './ports.ts'

/**
 * Publishes the live messages that `make` builds for the connected accounts. Presence is read first, so clients that connect later already
 * see everything committed before the call. Reports a gap when messages cannot be published. @throws what `make` throws, without a gap when
 * a database is unreachable: the caller retries
 */
export type PublishLive = (make: (listeners: readonly string[]) => Promise<Uint8Array[]> | Uint8Array[]) => Promise<void>

/** A publisher over a live channel. */
export const livePublisher =
  ({ live, presence }: { live: LiveChannel; presence: Presence }): PublishLive =>
  async (make) => {
    const listeners = await presence.listeners()
    if (!listeners) return live.reportGap()
    try {
      const messages = await make(listeners)
      const taken = await Promise.all(messages.map((message) => live.publish(message)))
      if (!taken.every(Boolean)) live.reportGap()
    } catch (error) {
      if (!isOutage(error)) live.reportGap()
      throw error
    }
  }
