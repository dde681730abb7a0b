import { LiveMessage } from '@rookery/contracts/events'

/** The encoded live message of a durable event: streams drop repeats by its id. */
export const liveMessage = (eventId: string, event: NonNullable<LiveMessage['event']>): Uint8Array =>
  LiveMessage.encode({ event, eventId }).finish()
