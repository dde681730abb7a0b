import { request } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** An answer with its raw bytes. */
export type RawAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
  body: any
  milliseconds: number
  /** Processor time of this process, which serves the request, until the answer arrived. */
  cpuMilliseconds: number
}

export type RawRequest = {
  method?: string
  path: string
  token?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends requests that fetch refuses: a body with GET, invalid bytes in a URL, a type that does not match the body. */
export const send = (origin: string, { method = 'GET', path, token, headers = {}, body }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const begun = performance.now()
    const cpuBegun = process.cpuUsage()
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const { user, system } = process.cpuUsage(cpuBegun)
          const times = { milliseconds: performance.now() - begun, cpuMilliseconds: (user + system) / 1000 }
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text), ...times })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

/** A multipart/form-data body with its type; a part with a file name is a file. */
export const multipart = (parts: readonly { name: string; value: string | Buffer; file?: string; type?: string }[]) => {
  const boundary = 'rookery-test-boundary'
  const head = ({ name, file, type }: { name: string; file?: string; type?: string }) => {
    const fileName = file === undefined ? '' : `; filename="${file}"`
    const contentType = type ? `Content-Type: ${type}\r\n` : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n${contentType}\r\n`
  }
  const pieces = parts.flatMap((part) => [Buffer.from(head(part)), Buffer.from(part.value), Buffer.from('\r\n')])
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** Sends bytes on a connection of its own; resolves to everything received until the server closed it. */
export const exchange = (origin: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const chunks: Uint8Array[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
  })

/** Sends bytes on a connection of its own and disconnects; resolves when the connection is closed. */
export const hangUp = (origin: string, bytes: string): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(origin)
    const socket: Socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()))
    socket.on('close', () => resolve())
    socket.on('error', () => {})
  })
