import type { Prepared } from '../channels/frames.ts'
import type { Subscriber } from '../channels/subscriber.ts'

/** An event and its receivers. */
export type Delivery = { readonly event: Prepared; readonly subscribers: readonly Subscriber[] }

/** The subscribers of a stream, by its key. */
export type StreamSubscribers = (key: string) => Iterable<Subscriber>

/** The id and the possible receivers of an event: all subscribers of its streams, or those that missed it. */
export type Target = { readonly id: string; readonly subscribersTo: StreamSubscribers }
