import { LiveMessage } from '@rookery/contracts/events'
import type { LiveChannel } from '@rookery/ephemeral'
import type { Tracing } from './tracing.ts'

/** Adds a field to an encoded message: appended fields are merged into it (Protocol Buffers, Encoding). */
const withTrace = (message: Uint8Array, trace: string): Uint8Array =>
  trace ? Buffer.concat([message, LiveMessage.encode({ event: undefined, trace }).finish()]) : message

const traceOf = (message: Uint8Array): string => {
  try {
    return LiveMessage.decode(message).trace ?? ''
  } catch {
    return ''
  }
}

/** A live channel whose messages continue the traces of their events, up to the streams that deliver them. */
export const tracedLive = (live: LiveChannel, tracing: Tracing | undefined): LiveChannel => {
  if (!tracing) return live
  return {
    fault: () => live.fault(),
    reportGap: () => live.reportGap(),
    publish: (message) => live.publish(withTrace(message, tracing.current())),
    subscribe: ({ read, ...reader }) =>
      live.subscribe({
        ...reader,
        read(entry) {
          const parent = entry.isKept ? '' : traceOf(entry.message)
          if (!parent) return read(entry)
          let fault: { error: unknown } | undefined
          const deliver = async () => {
            try {
              read(entry)
            } catch (error) {
              fault = { error }
            }
          }
          void tracing.span({ name: 'live deliver', kind: 'consumer', parent }, deliver)
          if (fault) throw (fault as { error: unknown }).error
        },
      }),
  }
}
