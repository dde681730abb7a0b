import { unavailable } from '@rookery/failures'
import { type Client, type Definition, type Handler, link } from '@rookery/rpc'

/** A call whose answer is lost: before it is done, or after. */
type Fault = { call: string; after?: boolean }

type Method = (...given: never[]) => Promise<unknown>

/** A service's handlers as another service calls them, over a connection that a test can count, delay and cut. */
export const connectionTo = (service: string, handlers: readonly Handler[]) => {
  const connection = {
    /** The calls made, by name. */
    calls: [] as string[],
    /** The call to cut. */
    breaking: undefined as Fault | undefined,
    /** Refuses every call, like a host where nothing listens. */
    isAway: false,
    /** A promise that a call waits for, from its name and request. */
    before: undefined as ((call: string, request: unknown) => Promise<void> | undefined) | undefined,
  }
  const lost = () => Promise.reject(unavailable('the connection was lost'))
  const run = async (name: string, method: Method, given: never[]) => {
    connection.calls.push(name)
    if (connection.isAway) throw unavailable('away')
    await connection.before?.(name, given[1])
    if (connection.breaking?.call !== name) return method(...given)
    return connection.breaking.after ? method(...given).then(lost) : lost()
  }

  /** A client of a service over a connection without interference. */
  const linked = <D extends Definition>(definition: D): Client<D> => {
    const served = handlers.find((each) => each.definition.fullName === definition.fullName)
    if (!served) throw new Error(`${service} does not serve ${definition.fullName}`)
    return link(definition, served, { wire: true })
  }
  /** A client over the connection. */
  const connected = <D extends Definition>(definition: D): Client<D> => {
    const methods = Object.entries<Method>(linked(definition) as never)
    const through = methods.map(([name, method]) => [name, (...given: never[]) => run(name, method, given)])
    return Object.fromEntries(through) as Client<D>
  }
  return Object.assign(connection, { linked, connected })
}
