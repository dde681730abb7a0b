import type { Endpoint, Method } from '../http/endpoint.ts'
import { endpoints } from '../routes/index.ts'

/** The API endpoint that a page reads or a form calls. @throws Error if there is none */
export const api = (name: `${Method} /api/${string}`): Endpoint => {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === name)
  if (!found) throw new Error(`a staff page names ${name}, which is no endpoint`)
  return found
}
