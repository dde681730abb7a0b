import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppsDefinition, IdempotencyDefinition } from '@rookery/contracts/auth'
import { createEdge } from '@rookery/http'
import { connect, handler, openConnection, serve } from '@rookery/rpc'
import { createLogger } from '@rookery/runtime'
import { expect, onTestFinished, test } from 'vitest'
import type { Clients } from '../src/clients.ts'
import { Public } from '../src/http/access.ts'
import { endpoint } from '../src/http/endpoint.ts'
import { serveEndpoints } from '../src/http/endpoints.ts'

/** The gateway's endpoints with an older auth, which does not support the Idempotency-Key. */
const openBeforeOlderAuth = async () => {
  const nothing = async () => {
    throw new Error('this test does not serve it')
  }
  const auth = await serve([handler(AppsDefinition, { register: nothing, read: nothing })], '127.0.0.1:0')
  const connection = openConnection(`127.0.0.1:${auth.port}`)
  const effects: string[] = []
  const planted = endpoint({
    method: 'POST',
    path: '/api/v1/plants',
    access: Public(),
    summary: 'Plants something.',
    handle: async ({ idempotencyKey }) => {
      effects.push(idempotencyKey)
      return { planted: true }
    },
  })
  const log = createLogger({ name: 'gateway', level: 'silent' })
  const clients = {
    idempotency: connect(IdempotencyDefinition, connection),
    config: { baseUrl: 'http://localhost', restrictions: new Set() },
  }
  const limits = { on: () => () => {}, countIn: async () => {}, refuseBeyond: async () => {} }
  const edge = createEdge({
    log,
    routes: [
      serveEndpoints({ endpoints: [planted], clients: clients as unknown as Clients, checkToken: async () => undefined, limits, log }),
    ],
  })
  const server = createServer(edge.answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
    connection.close()
    await auth.stop(0)
  })
  const { port } = server.address() as AddressInfo
  const plant = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/api/v1/plants`, { method: 'POST', headers })
  return { plant, effects }
}

test('a request with an Idempotency-Key waits for an auth that is still older: it has no effect, and its client is told when to try again', async () => {
  const { plant, effects } = await openBeforeOlderAuth()
  const refused = await plant({ 'idempotency-key': 'one' })
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([503, '5', { error: 'Service Unavailable' }])
  expect(effects).toEqual([])
  const plain = await plant()
  expect([plain.status, plain.headers.get('retry-after'), effects]).toEqual([200, null, ['']])
})
