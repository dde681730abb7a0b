import type { Endpoint, Method } from './endpoint.ts'

/** An endpoint and the names of its path parameters. */
type Route = { endpoint: Endpoint; names: readonly string[] }
type Node = { words: Map<string, Node>; id: Node | undefined; name: Node | undefined; routes: Map<string, Route> }
const node = (): Node => ({ words: new Map(), id: undefined, name: undefined, routes: new Map() })

/** A matched endpoint with its path parameters. */
export type Match = { endpoint: Endpoint; params: Record<string, string> }

const EQUAL: Partial<Record<string, Method>> = { PUT: 'PATCH', PATCH: 'PUT', HEAD: 'GET' }

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const namesOf = (path: string) =>
  segmentsOf(path)
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

const isIdName = (name: string) => name === 'id' || name.endsWith('_id')
const DIGITS = /^\d+$/

const decoded = (segment: string): string | undefined => {
  try {
    const text = decodeURIComponent(segment)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The child of a node for a segment of an endpoint's path; created when missing. */
const childOf = (at: Node, segment: string): Node => {
  if (segment.startsWith(':')) {
    const kind = isIdName(segment.slice(1)) ? 'id' : 'name'
    at[kind] ??= node()
    return at[kind]
  }
  const child = at.words.get(segment) ?? node()
  at.words.set(segment, child)
  return child
}

/** @throws Error for an endpoint that is declared twice */
const treeOf = (endpoints: readonly Endpoint[]): Node => {
  const root = node()
  for (const endpoint of endpoints) {
    const { routes } = segmentsOf(endpoint.path).reduce(childOf, root)
    if (routes.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is declared twice`)
    routes.set(endpoint.method, { endpoint, names: namesOf(endpoint.path) })
  }
  return root
}

const routeAt = ({ routes }: Node, method: string): Route | undefined => {
  const other = EQUAL[method]
  return routes.get(method) ?? (other ? routes.get(other) : undefined)
}

type Walk = { segments: readonly string[]; method: string; values: string[]; isId: (segment: string) => boolean }

/** Finds the route for the segments from an index on, and collects the parameters in `values`. */
const walk = (at: Node, index: number, way: Walk): Route | undefined => {
  const { segments, method, values, isId } = way
  const segment = segments[index]
  if (segment === undefined) return routeAt(at, method)
  const word = at.words.get(segment)
  const found = word && walk(word, index + 1, way)
  if (found) return found
  for (const next of [isId(segment) ? at.id : undefined, at.name]) {
    if (!next) continue
    values.push(segment)
    const beyond = walk(next, index + 1, way)
    if (beyond) return beyond
    values.pop()
  }
  return undefined
}

/** Finds the endpoint of a method and a path; 'no such id' if there would be one with a valid id. */
export type Router = (method: string, path: string) => Match | 'no such id' | undefined

/**
 * Finds endpoints by method and path, in as many steps as the path has segments; literal segments precede parameters. A parameter named
 * `id` or `…_id` matches digits only, so that other paths never match a record by accident. A trailing slash is accepted, PUT and PATCH are
 * the same, HEAD is GET (beyond-the-spec 0.1).
 */
export const createRouter = (endpoints: readonly Endpoint[]): Router => {
  const root = treeOf(endpoints)
  return (method, path) => {
    const segments = segmentsOf(path)
    const values: string[] = []
    const route = walk(root, 0, { segments, method, values, isId: (segment) => DIGITS.test(segment) })
    if (!route) return walk(root, 0, { segments, method, values: [], isId: () => true }) && 'no such id'
    const params: Record<string, string> = {}
    for (const [index, name] of route.names.entries()) {
      const value = decoded(values[index]!)
      if (value === undefined) return undefined
      params[name] = value
    }
    return { endpoint: route.endpoint, params }
  }
}
