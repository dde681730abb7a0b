import type { Prepared } from '../channels/frames.ts'
import type { Subscriber } from '../channels/subscriber.ts'

/** An event and who gets it. */
export type Delivery = { readonly event: Prepared; readonly subscribers: readonly Subscriber[] }

/** The subscribers of a stream, by its key. */
export type StreamSubscribers = (key: string) => Iterable<Subscriber>

/** What an event is delivered as, and to whom: everyone who has the stream open, or those who missed it. */
export type Target = { readonly id: string; readonly subscribersTo: StreamSubscribers }
