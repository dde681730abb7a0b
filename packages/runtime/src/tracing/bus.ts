import { Envelope } from '@rookery/contracts/events'
import { type Bus, type Message, wrapHandlers } from '@rookery/events'
import type { Span, Tracing } from './tracing.ts'

/** Maximum links of a span. */
const MAX_LINKS = 100

const traceOf = ({ envelope }: Message): string => {
  try {
    return Envelope.decode(envelope).trace
  } catch {
    // The consumer reports invalid messages.
    return ''
  }
}

/** A span for a batch of messages: a child of the first message's trace, with links to the others. */
const spanOf = (name: string, kind: Span['kind'], messages: readonly Message[]): Span => {
  const [parent = '', ...links] = new Set(messages.map(traceOf).filter(Boolean))
  return { name, kind, parent, links: links.slice(0, MAX_LINKS) }
}

/** A bus whose messages continue the traces of their events. Untraced messages start no trace. */
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
