import type { Endpoint, Method } from './endpoint.ts'

/** An endpoint and the names of its path's parameters. */
type Route = { endpoint: Endpoint; names: readonly string[] }
type Node = { children: Map<string, Node>; parameter: Node | undefined; routes: Map<string, Route> }
const node = (): Node => ({ children: new Map(), parameter: undefined, routes: new Map() })

/** An endpoint found for a request, with its path parameters. */
export type Match = { endpoint: Endpoint; params: Record<string, string> }

const EQUAL: Partial<Record<string, Method>> = { PUT: 'PATCH', PATCH: 'PUT', HEAD: 'GET' }

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const namesOf = (path: string) =>
  segmentsOf(path)
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

const decoded = (segment: string): string | undefined => {
  try {
    const text = decodeURIComponent(segment)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * Finds endpoints by method and path in as many steps as the path has segments; a word in a path comes before a parameter. A trailing
 * slash is accepted, PUT and PATCH are the same, HEAD is GET (beyond-the-spec 0.1).
 */
export const createRouter = (endpoints: readonly Endpoint[]): ((method: string, path: string) => Match | undefined) => {
  const root = node()
  for (const endpoint of endpoints) {
    let current = root
    for (const segment of segmentsOf(endpoint.path)) {
      if (segment.startsWith(':')) {
        current.parameter ??= node()
        current = current.parameter
      } else {
        const next = current.children.get(segment) ?? node()
        current.children.set(segment, next)
        current = next
      }
    }
    if (current.routes.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is declared twice`)
    current.routes.set(endpoint.method, { endpoint, names: namesOf(endpoint.path) })
  }

  const walk = (at: Node, segments: readonly string[], index: number, method: string, values: string[]): Route | undefined => {
    const segment = segments[index]
    if (segment === undefined) {
      const other = EQUAL[method]
      return at.routes.get(method) ?? (other ? at.routes.get(other) : undefined)
    }
    const child = at.children.get(segment)
    const found = child && walk(child, segments, index + 1, method, values)
    if (found || !at.parameter) return found
    values.push(segment)
    const beyond = walk(at.parameter, segments, index + 1, method, values)
    if (!beyond) values.pop()
    return beyond
  }

  return (method, path) => {
    const values: string[] = []
    const route = walk(root, segmentsOf(path), 0, method, values)
    if (!route) return undefined
    const params: Record<string, string> = {}
    for (const [index, name] of route.names.entries()) {
      const value = decoded(values[index]!)
      if (value === undefined) return undefined
      params[name] = value
    }
    return { endpoint: route.endpoint, params }
  }
}
