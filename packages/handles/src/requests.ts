import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'

/** What is sent after the headers. */
type RequestBody = string | Buffer | AsyncIterable<Uint8Array>

/** How a request is made: what node:https takes, and milliseconds of silence before and after the response begins. */
type RequestSettings = RequestOptions & { timeout?: number; responseTimeout?: number }

/**
 * Sends a request and returns the response. An error of the response reaches its reader, and is dropped without one.
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

/** What an address answered: a status, and how long its certificate is good (milliseconds since 1970); or why there was no answer. */
export type Seen = { status: number; certificateEndsAt?: number | undefined } | { error: string }

/** A handshake of a WebSocket (RFC 6455, 4.1). */
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'cm9va2VyeSBkb2N0b3IhIQ==',
}

/**
 * Requests an address as the public does, for a WebSocket where it `upgrades`, and closes the connection after the first line of the
 * answer; redirects are not followed. Never rejects. `timeout` is in milliseconds of silence.
 */
export const look = (address: string, { upgrades = false, timeout = 10_000 } = {}): Promise<Seen> =>
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
