import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'

/** The body of a request. */
type RequestBody = string | Buffer | AsyncIterable<Uint8Array>

/** The options of node:https, and the idle timeouts before and after the response begins, in milliseconds. */
type RequestSettings = RequestOptions & { timeout?: number; responseTimeout?: number }

/**
 * Sends a request and returns the response. An error of the response reaches its reader, and is dropped if there is none.
 * @throws Error when no response comes
 */
export const sendRequest = (url: URL, settings: RequestSettings, body?: RequestBody): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { responseTimeout, ...options } = settings
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options)
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`${url.host} did not answer in time`)))
    request.once('response', (response) => {
      response.on('error', () => {})
      if (responseTimeout !== undefined) request.setTimeout(responseTimeout)
      resolve(response)
    })
    if (typeof body === 'object' && Symbol.asyncIterator in body) pipeline(body, request).catch(reject)
    else request.end(body)
  })

/** The answer of an address: a status, and when its certificate expires (milliseconds since 1970); or why there was none. */
export type ProbeResult = { status: number; certificateEndsAt?: number | undefined } | { error: string }

/** The headers of a WebSocket handshake (RFC 6455, 4.1). */
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'cm9va2VyeSBkb2N0b3IhIQ==',
}

/**
 * Requests an address as the public does, as a WebSocket if it `upgrades`, and closes the connection after the first line of the answer.
 * Redirects are not followed. Never rejects. `timeout` is an idle timeout in milliseconds.
 */
export const probe = (address: string, { upgrades = false, timeout = 10_000 } = {}): Promise<ProbeResult> =>
  new Promise((resolve) => {
    const url = new URL(address)
    const request = url.protocol === 'https:' ? overHttps : overHttp
    const asked = request(url, { headers: upgrades ? HANDSHAKE : {}, timeout, agent: false })
    const say = ({ statusCode = 0, socket }: IncomingMessage) => {
      const ends = (socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to
      resolve({ status: statusCode, certificateEndsAt: ends ? Date.parse(ends) : undefined })
      asked.destroy()
    }
    asked.on('response', (response) => {
      response.on('error', () => {})
      say(response)
    })
    asked.on('upgrade', (response, socket) => {
      socket.on('error', () => {})
      say(response)
      socket.destroy()
    })
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${timeout} milliseconds`)))
    asked.on('error', (error) => resolve({ error: error.message }))
    asked.end()
  })
