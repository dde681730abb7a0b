import { Envelope } from '@rookery/contracts/events'
import { type Bus, type Message, wrapHandlers } from '@rookery/events'
import type { Span, Tracing } from './tracing.ts'

/** Spans name no more traces than this besides their own. */
const MAX_LINKS = 100

const traceOf = ({ envelope }: Message): string => {
  try {
    return Envelope.decode(envelope).trace
  } catch {
    // The consumer reports what is wrong with it.
    return ''
  }
}

/** A span for all of these messages: part of the first's trace, with the others named. */
const spanOf = (name: string, kind: Span['kind'], messages: readonly Message[]): Span => {
  const [parent = '', ...links] = new Set(messages.map(traceOf).filter(Boolean))
  return { name, kind, parent, links: links.slice(0, MAX_LINKS) }
}

/** A bus whose messages continue the traces of their events. What no one traced begins no trace. */
export const tracedBus = (bus: Bus, tracing: Tracing | undefined): Bus => {
  if (!tracing) return bus
  const through = <Result>(span: Span, work: () => Promise<Result>) => (span.parent ? tracing.span(span, work) : work())
  return {
    ...wrapHandlers(
      bus,
      ({ consumer, handle }) =>
        (messages) =>
          through(spanOf(`${consumer} process`, 'consumer', messages), () => handle(messages)),
    ),
    publish: (topic, messages) => through(spanOf(`${topic} publish`, 'producer', messages), () => bus.publish(topic, messages)),
  }
}
