import { openApiDocument } from '../document/openapi.ts'
import { Public } from '../http/access.ts'
import { type Endpoint, endpoint, Reply } from '../http/endpoint.ts'

/** The endpoint of the OpenAPI document. */
export const documentOf = (endpoints: () => readonly Endpoint[]): Endpoint => {
  let document: Buffer | undefined
  return endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: Public(),
    summary: 'This document.',
    handle: async () => {
      document ??= Buffer.from(JSON.stringify(openApiDocument(endpoints())))
      return new Reply(document, { headers: { 'Cache-Control': 'public, max-age=300' } })
    },
  })
}
