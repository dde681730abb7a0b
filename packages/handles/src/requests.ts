import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { pipeline } from 'node:stream/promises'

/** What is sent after the headers. */
export type RequestBody = string | Buffer | AsyncIterable<Uint8Array>

/** How a request is made: what node:https takes, and milliseconds of silence before and after the response begins. */
export type RequestSettings = RequestOptions & { timeout?: number; responseTimeout?: number }

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
