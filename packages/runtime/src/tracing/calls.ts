import type { Call, Client, Definition, Handler } from '@rookery/rpc'
import type { Tracing } from './tracing.ts'

type Method = (call: Call, request: unknown) => Promise<unknown>

/** Wraps each method in a span. */
const traced = (definition: Definition, methods: Record<string, unknown>, kind: 'client' | 'server', tracing: Tracing) =>
  Object.fromEntries(
    Object.entries(definition.methods).map(([key, { name }]) => {
      const run = (methods[key] as Method).bind(methods)
      const span = { name: `${definition.fullName}/${name}`, kind }
      const method: Method = (call, request) => tracing.span({ ...span, parent: call.trace }, (trace) => run({ ...call, trace }, request))
      return [key, method]
    }),
  )

/** A client whose calls propagate their trace. */
export const tracedClient = <D extends Definition>(definition: D, client: Client<D>, tracing: Tracing | undefined): Client<D> =>
  tracing ? (traced(definition, client, 'client', tracing) as Client<D>) : client

/** A handler that continues its callers' traces. */
export const tracedHandler = ({ definition, implementation }: Handler, tracing: Tracing | undefined): Handler => ({
  definition,
  implementation: tracing ? traced(definition, implementation, 'server', tracing) : implementation,
})
