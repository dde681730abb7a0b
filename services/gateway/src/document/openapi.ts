import { z } from 'zod'
import type { Access } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { VERSION } from '../version.ts'
import { ELSEWHERE, type Operation } from './elsewhere.ts'

type Schema = Record<string, unknown>

const namesOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
const template = (path: string) => path.replace(/:(\w+)/g, '{$1}')

const securityOf = ({ kind, scopes }: Access): Schema[] => {
  const wanted = scopes.map((scope) => ({ token: [scope] }))
  if (kind === 'public') return [{}, ...wanted]
  return wanted.length > 0 ? wanted : [{ token: [] }]
}

const isArray = (schema: Schema) => schema['type'] === 'array'

/** The input's properties as JSON Schema, by name. */
const propertiesOf = (input: z.ZodType): Record<string, Schema> => {
  const schema = z.toJSONSchema(input, { io: 'output', unrepresentable: 'any' }) as { properties?: Record<string, Schema> }
  return schema.properties ?? {}
}

const queryParameters = (properties: Record<string, Schema>) =>
  Object.entries(properties).map(([name, schema]) => ({
    name: isArray(schema) ? `${name}[]` : name,
    in: 'query',
    required: false,
    schema,
    ...(isArray(schema) ? { style: 'form', explode: true } : {}),
  }))

const requestBody = (properties: Record<string, Schema>, files: readonly string[]) => {
  const withFiles = { ...properties, ...Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }])) }
  if (Object.keys(withFiles).length === 0) return {}
  const schema = { type: 'object', properties: withFiles }
  const types =
    files.length > 0 ? ['multipart/form-data'] : ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } }
}

const ERROR = {
  description: 'What went wrong, as {"error": …}.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const operationOf = (endpoint: Endpoint): Schema => {
  const properties = endpoint.input ? propertiesOf(endpoint.input) : {}
  const isQuery = endpoint.method === 'GET'
  const path = namesOf(endpoint.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  return {
    summary: endpoint.summary,
    security: securityOf(endpoint.access),
    parameters: [...path, ...(isQuery ? queryParameters(properties) : [])],
    ...(isQuery ? {} : requestBody(properties, endpoint.files)),
    responses: { 200: { description: 'Done.' }, default: ERROR },
  }
}

const elsewhereOf = (operation: Operation): Schema => ({
  summary: operation.summary,
  parameters: (operation.parameters ?? []).map((name) => ({ name, in: 'query', required: false, schema: { type: 'string' } })),
  responses: { 200: { description: 'Done.' }, default: ERROR },
})

/** The API as an OpenAPI 3.1 document, made from the values the router is made from. */
export const openApiDocument = (endpoints: readonly Endpoint[]): Schema => {
  const paths: Record<string, Record<string, Schema>> = {}
  const add = (method: string, path: string, operation: Schema) => {
    const key = template(path)
    paths[key] = { ...paths[key], [method.toLowerCase()]: operation }
  }
  for (const endpoint of endpoints) add(endpoint.method, endpoint.path, operationOf(endpoint))
  for (const operation of ELSEWHERE) add(operation.method, operation.path, elsewhereOf(operation))
  return {
    openapi: '3.1.0',
    info: { title: 'Rookery', version: VERSION, description: 'A social publishing server that speaks the Mastodon client API.' },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } } },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}
