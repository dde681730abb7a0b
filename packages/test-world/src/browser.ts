import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** An answer of the API. `body` is the parsed JSON, or the text if it is not JSON. */
export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
  body: any
  text: string
}

export type Asking = {
  token?: string | undefined
  /** Sent as JSON, unless it is a form. */
  body?: unknown
  headers?: Record<string, string>
  redirect?: 'follow' | 'manual'
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The default headers of fetch. */
const USUAL = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

const agent = new Agent({ keepAlive: true })

type Sent = { method: string; headers: Record<string, string>; body?: string }
type Received = Omit<Answer, 'body'>

/** Like fetch, at half its cost: tests send hundreds of thousands of requests. */
const send = async (url: URL, { method, headers, body }: Sent): Promise<Received> => {
  // Node does not set the length of a DELETE by itself.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method, agent, headers: { ...USUAL, ...headers, ...length } }, resolve)
      .once('error', reject)
      .end(body)
  })
  const received = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) for (const value of values) received.append(name, value)
  return { status: response.statusCode ?? 0, headers: received, text: await text(response) }
}

const sendForm = async (url: URL, init: RequestInit): Promise<Received> => {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Sends a request as a client would. */
export const ask = async (
  origin: string,
  method: string,
  path: string,
  { token, body, headers = {}, redirect = 'manual' }: Asking = {},
): Promise<Answer> => {
  const url = new URL(path, origin)
  const isForm = body instanceof URLSearchParams || body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
  const isJson = body !== undefined && !isForm
  const all = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...headers,
  }
  const isPlain = !isForm && redirect === 'manual' && url.protocol === 'http:'
  const received = isPlain
    ? await send(url, { method, headers: all, ...(isJson && { body: JSON.stringify(body) }) })
    : await sendForm(url, {
        method,
        redirect,
        headers: all,
        ...(body !== undefined && { body: isForm ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
      })
  return { ...received, body: parsed(received.text) }
}
