import { z } from 'zod'
import type { Access } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { VERSION } from '../version.ts'
import { ELSEWHERE, type Operation } from './elsewhere.ts'

type Schema = Record<string, unknown>
type Properties = Record<string, Schema>

/** An operation of any service, to be documented. */
type Described = Pick<Operation, 'method' | 'path' | 'access' | 'summary'> & {
  properties: Properties
  files: readonly string[]
  takesKey: boolean
}

const namesOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
const template = (path: string) => path.replace(/:(\w+)/g, '{$1}')

const securityOf = ({ kind, scopes }: Access): Schema[] => {
  const wanted = scopes.map((scope) => ({ token: [scope] }))
  if (kind === 'public') return [{}, ...wanted]
  return wanted.length > 0 ? wanted : [{ token: [] }]
}

const isArray = (schema: Schema) => schema['type'] === 'array'

/** In forms and queries, lists are named k[]. */
const inPairs = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [isArray(schema) ? `${name}[]` : name, schema]))

const queryParameters = (properties: Properties) =>
  Object.entries(inPairs(properties)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
    ...(isArray(schema) ? { style: 'form', explode: true } : {}),
  }))

/** The required file of an upload; other files are optional, and then the body may be of any type. */
const NEEDED_FILE = 'file'

const bodyOf = (properties: Properties, files: readonly string[]) => {
  const pairs = { type: 'object', properties: inPairs(properties) }
  const parts = { ...pairs.properties, ...Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }])) }
  if (Object.keys(parts).length === 0) return {}
  const multipart = { 'multipart/form-data': { schema: { type: 'object', properties: parts } } }
  if (files.includes(NEEDED_FILE)) return { requestBody: { content: multipart } }
  const others = { 'application/json': { schema: { type: 'object', properties } }, 'application/x-www-form-urlencoded': { schema: pairs } }
  return { requestBody: { content: { ...others, ...multipart } } }
}

const ERROR = {
  description: 'What went wrong, as {"error": …}.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'Any string, a UUID at best. Within an hour a repeat with the same key, token, route and parameters gets the answer of the first request, and waits for one that is under way. With other parameters it is refused with 422, except that a repeat of POST /api/v1/statuses always gets the first status.',
}

const operationOf = ({ method, path, access, summary, properties, files, takesKey }: Described): Schema => ({
  summary,
  security: securityOf(access),
  parameters: [
    ...namesOf(path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(method === 'GET' ? queryParameters(properties) : []),
    ...(takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ],
  ...(method === 'GET' ? {} : bodyOf(properties, files)),
  responses: { 200: { description: 'Done.' }, default: ERROR },
})

const ofEndpoint = (endpoint: Endpoint): Described => {
  const schema = endpoint.input && z.toJSONSchema(endpoint.input, { io: 'output', unrepresentable: 'any' })
  return { ...endpoint, properties: (schema?.properties ?? {}) as Properties, takesKey: endpoint.method !== 'GET' }
}

const ofOperation = (operation: Operation): Described => ({
  ...operation,
  properties: Object.fromEntries(operation.parameters.map((name) => [name, { type: 'string' }])),
  files: [],
  takesKey: false,
})

/** The API as an OpenAPI 3.1 document, derived from the same values as the router. */
export const openApiDocument = (endpoints: readonly Endpoint[]): Schema => {
  const paths: Record<string, Schema> = {}
  for (const described of [...endpoints.map(ofEndpoint), ...ELSEWHERE.map(ofOperation)]) {
    const key = template(described.path)
    paths[key] = { ...paths[key], [described.method.toLowerCase()]: operationOf(described) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rookery', version: VERSION, description: 'A social publishing server that speaks the Mastodon client API.' },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      parameters: { IdempotencyKey: KEY },
      schemas: { Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } } },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}
