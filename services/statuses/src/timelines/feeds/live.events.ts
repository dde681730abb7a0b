import { LiveMessage } from '@rookery/contracts/events'

/** A live message of a durable event, encoded: streams drop it when it comes again. */
export const liveMessage = (eventId: string, event: NonNullable<LiveMessage['event']>): Uint8Array =>
  LiveMessage.encode({ event, eventId }).finish()
