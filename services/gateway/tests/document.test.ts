import { describe, expect, test } from 'vitest'
import { ELSEWHERE } from '../src/document/elsewhere.ts'
import { openApiDocument } from '../src/document/openapi.ts'
import { endpoints } from '../src/routes/index.ts'

// The document, as OpenAPI 3.1 requires it.

// biome-ignore lint/suspicious/noExplicitAny: a document is looked at, not computed with
type Json = any
const document: Json = JSON.parse(JSON.stringify(openApiDocument(endpoints)))
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]): [string, Json] => [`${method.toUpperCase()} ${path}`, operation]),
)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

/** All objects within a value. */
const within = (value: Json): Json[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : []

test('has every operation once, and no other', () => {
  expect(operations.map(([name]) => name).sort()).toEqual([...endpoints, ...ELSEWHERE].map(nameOf).sort())
})

test('has the WebSocket and every stream of the contract', () => {
  const streams = ['user', 'user/notification', 'public', 'public/local', 'public/remote', 'hashtag', 'hashtag/local', 'list', 'direct']
  const paths = ['/api/v1/streaming', '/api/v1/streaming/health', ...streams.map((stream) => `/api/v1/streaming/${stream}`)]
  expect(operations.map(([name]) => name)).toEqual(expect.arrayContaining(paths.map((path) => `GET ${path}`)))
})

test('says what it is', () => {
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\.\d+$/), info: { title: 'Rookery', version: expect.any(String) } })
})

test('refers to nothing that is not there', () => {
  const references = within(document).flatMap(({ $ref }) => $ref ?? [])
  expect(references.length).toBeGreaterThan(0)
  for (const reference of references) {
    const steps: string[] = reference.replace(/^#\//, '').split('/')
    expect(steps.reduce((at: Json, step) => at?.[step], document)).toBeTypeOf('object')
  }
})

describe.each(operations)('%s', (name, operation) => {
  const [method = '', path = ''] = name.split(' ')

  test('says what it does and how it may end', () => {
    expect(operation.summary).toMatch(/^\S.+\.$/)
    expect(operation.responses).toMatchObject({ 200: { description: expect.any(String) }, default: { description: expect.any(String) } })
    for (const wanted of operation.security)
      for (const scheme of Object.keys(wanted)) expect(document.components.securitySchemes).toHaveProperty(scheme)
  })

  test('has each parameter once, those of the path all, and the Idempotency-Key where something may change', () => {
    const parameters = operation.parameters.map(({ $ref, ...own }: Json) =>
      $ref ? document.components.parameters[$ref.split('/').at(-1)] : own,
    )
    const keys = parameters.map((parameter: Json) => `${parameter.in} ${parameter.name}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const parameter of parameters) {
      expect(['query', 'path', 'header']).toContain(parameter.in)
      expect(parameter.required).toBe(parameter.in === 'path')
      expect(parameter.schema).toMatchObject({ type: expect.toBeOneOf(['string', 'boolean', 'integer', 'number', 'array', 'object']) })
    }
    const isElsewhere = ELSEWHERE.some((each) => nameOf(each) === name)
    expect(keys.includes('header Idempotency-Key')).toBe(method !== 'GET' && !isElsewhere)
    const inPath = parameters.flatMap((parameter: Json) => (parameter.in === 'path' ? parameter.name : []))
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, word]) => word))
  })

  test('has a body only where one may be', () => {
    if (method === 'GET') expect(operation.requestBody).toBeUndefined()
    for (const { schema } of Object.values<Json>(operation.requestBody?.content ?? {})) {
      expect(schema.type).toBe('object')
      expect(Object.keys(schema.properties).length).toBeGreaterThan(0)
    }
  })
})

test('knows lists, limits and files for what they are', () => {
  const at = (name: string) => operations.find(([each]) => each === name)?.[1]
  const listed = at('GET /api/v1/notifications').parameters
  expect(listed).toContainEqual(expect.objectContaining({ name: 'types[]', style: 'form', explode: true }))
  expect(listed).toContainEqual(
    expect.objectContaining({ name: 'limit', schema: expect.objectContaining({ type: 'integer', default: 15, maximum: 30 }) }),
  )
  const { content } = at('POST /api/v1/statuses').requestBody
  expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
  expect(content['application/json'].schema.properties).toHaveProperty('media_ids')
  expect(content['multipart/form-data'].schema.properties['media_ids[]']).toMatchObject({ type: 'array' })
  expect(at('POST /api/v2/media').requestBody.content['multipart/form-data'].schema.properties.file).toMatchObject({ format: 'binary' })
})
