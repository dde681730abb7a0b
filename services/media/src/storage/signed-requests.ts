import { readFileSync } from 'node:fs'
import { type IncomingMessage, Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '@rookery/failures'
import { readChunks, sendRequest } from '@rookery/handles'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketOptions } from './storage.ts'

/** A request to the store. All requests are idempotent, so any may be retried. */
export type Asked = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Below the endpoint, with the bucket's name. */
  path: string
  headers?: Record<string, string>
  /** The local file that is the body, and its SHA-256 in hexadecimal. */
  file?: { path: string; digest: string }
}

const EMPTY_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Idle timeout before the answer, in milliseconds. */
const ANSWER_WITHIN = 5000
/** Idle timeout within an answer, in milliseconds: its reader may be slow. */
const SILENT_AT_MOST = 300_000
/** Pauses before retries, in milliseconds. */
const PAUSES = [100, 500]
/** Statuses of a store after which a retry may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504])

const CONNECTIONS = { keepAlive: true, maxSockets: 64 }

const agentFor = ({ endpoint, authority }: BucketOptions) => {
  if (!endpoint.startsWith('https:')) return new PlainAgent(CONNECTIONS)
  return new SecureAgent({ ...CONNECTIONS, ...(authority && { ca: readFileSync(authority) }) })
}

/**
 * Sends requests signed by AWS Signature Version 4 over keep-alive connections. Resolves to the store's answer whatever its status, except
 * those that are retried. @throws Failure unavailable when three attempts failed
 */
export const signedRequests = (options: BucketOptions): ((asked: Asked) => Promise<IncomingMessage>) => {
  const agent = agentFor(options)

  const sign = async ({ method, path, headers = {}, file }: Asked) => {
    const signer = new AwsV4Signer({
      method,
      url: options.endpoint + path,
      headers: { ...headers, 'x-amz-content-sha256': file?.digest ?? EMPTY_DIGEST },
      accessKeyId: options.keyId,
      secretAccessKey: options.key.reveal(),
      service: 's3',
      region: options.region,
    })
    const signed = await signer.sign()
    return { url: new URL(signed.url), headers: Object.fromEntries(signed.headers) }
  }

  const send = async (asked: Asked): Promise<IncomingMessage> => {
    const { url, headers } = await sign(asked)
    const settings = { method: asked.method, headers, agent, timeout: ANSWER_WITHIN, responseTimeout: SILENT_AT_MOST }
    return sendRequest(url, settings, asked.file && readChunks(asked.file.path))
  }

  return async (asked) => {
    let last: unknown
    for (const wait of [0, ...PAUSES]) {
      if (wait > 0) await pause(wait)
      try {
        const response = await send(asked)
        if (!PASSING.has(response.statusCode ?? 500)) return response
        response.resume()
        last = new Error(`the store of files answers ${asked.method} with ${response.statusCode}`)
      } catch (error) {
        last = error
      }
    }
    throw unavailable(last)
  }
}
