import { createServer } from 'node:http'
import { DiagnosticsDefinition } from '@rookery/contracts/common'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

let socket: OperatorSocket
let publicServer: ReturnType<typeof createServer>
let baseUrl: string
let faults: { part: string; fault: string }[]

beforeEach(async () => {
  faults = []
  publicServer = createServer((_request, response) => response.writeHead(200).end('{}'))
  publicServer.on('upgrade', (_request, connection) => connection.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'))
  await new Promise<void>((resolve) => publicServer.listen(0, '127.0.0.1', resolve))
  const address = publicServer.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const examine = async () => ({
    baseUrl,
    clockMilliseconds: Date.now(),
    faults,
    notes: ['Mails are kept in a folder.'],
    warnings: [],
    backlogs: [],
  })
  socket = await openOperatorSocket(handler(DiagnosticsDefinition, { examine }))
})
afterEach(async () => {
  await socket.close()
  await new Promise((resolve) => publicServer.close(resolve))
})

test('the doctor says what is well, and fails where something is not', async () => {
  const well = await socket.run('doctor')
  expect(well).toMatchObject({ code: 0, complained: [] })
  expect(well.printed).toContain(`ok       Public: ${baseUrl} answers.`)
  expect(well.printed).toContain('ok       Streaming: WebSockets pass the proxy.')
  expect(well.printed).toContain('ok       Note: Mails are kept in a folder.')
  faults = [{ part: 'Redis', fault: 'connection refused' }]
  const ill = await socket.run('doctor')
  expect([ill.code, ill.printed[0]]).toEqual([1, 'FAULT    Parts: Redis: connection refused'])
})

test('another address may be named, and scripts get JSON', async () => {
  const { code, printed } = await socket.run('doctor', '--json', '--url', 'http://127.0.0.1:9/')
  expect(code).toBe(1)
  const findings = JSON.parse(printed.join('\n'))
  expect(findings).toContainEqual({ state: 'fault', area: 'Public', text: expect.stringContaining('http://127.0.0.1:9 does not answer') })
})

test('what is no address is refused before anything is asked', async () => {
  for (const typed of ['notaurl', 'ftp://birds.example'])
    expect(await socket.run('doctor', '--url', typed)).toEqual({
      code: 1,
      printed: [],
      complained: ['--url takes an address, as https://birds.example.'],
    })
})
