import { openApiDocument } from '../document/openapi.ts'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { endpoints } from './index.ts'

let document: Buffer | undefined

export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: Public(),
  summary: 'This document.',
  handle: async () => {
    document ??= Buffer.from(JSON.stringify(openApiDocument(endpoints)))
    return new Reply(document, { headers: { 'Cache-Control': 'public, max-age=300' } })
  },
})
