import type { Prepared } from '../channels/frames.ts'
import type { Subscriber } from '../channels/subscriber.ts'

/** An event and who gets it. */
export type Delivery = { readonly event: Prepared; readonly subscribers: readonly Subscriber[] }

/** Who hears the stream of a key. */
export type Hearing = (key: string) => Iterable<Subscriber>

/** What an event is delivered as, and to whom: everyone who has the stream open, or those who missed it. */
export type Target = { readonly id: string; readonly hearing: Hearing }
