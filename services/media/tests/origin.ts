import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another server's files, on this machine. */
export const openOrigin = async () => {
  const answers = new Map<string, RequestListener>()
  const asked: string[] = []
  const open: ServerResponse[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '')
    open.push(response)
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    response.once('close', () => atOnce--)
    const answer = answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    /** The requested paths. */
    asked,
    mostAtOnce: () => mostAtOnce,
    /** Serves bytes at a path. */
    has(path: string, bytes: Buffer, type = 'application/octet-stream', host = 'files.far.example') {
      answers.set(path, (_request, response) => response.writeHead(200, { 'Content-Type': type }).end(bytes))
      return `http://${host}:${port}${path}`
    },
    answers(path: string, listener: RequestListener, host = 'files.far.example') {
      answers.set(path, listener)
      return `http://${host}:${port}${path}`
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Origin = Awaited<ReturnType<typeof openOrigin>>
