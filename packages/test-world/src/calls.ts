import { type Client, type Definition, type Handler, link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'

/** The part of a world that serves calls. */
type Serving = { readonly rookery: { readonly rpc: readonly Handler[]; readonly operator: readonly Handler[] } }

/** The context of a call between services, or of an operator. */
export const innerCall = () => callWithin(30, 'test')

const clientOf = <D extends Definition>(handlers: readonly Handler[], definition: D): Client<D> => {
  const served = handlers.find((handler) => handler.definition.fullName === definition.fullName)
  if (!served) throw new Error(`no module serves ${definition.fullName}`)
  return link(definition, served, { wire: true })
}

/** A client of a service of the world, as other services use it. */
export const innerClient = <D extends Definition>(world: Serving, definition: D): Client<D> => clientOf(world.rookery.rpc, definition)

/** A client of an operator's service of the world, as the command line uses it. */
export const operatorClient = <D extends Definition>(world: Serving, definition: D): Client<D> =>
  clientOf(world.rookery.operator, definition)
