import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sendRequest } from '@rookery/handles'
import type { SecretsConfig } from './config.ts'

/** 256 bits, in hexadecimal: safe as a part of a URL. */
const makeValue = () => randomBytes(32).toString('hex')

/** How long to wait for an API server that does not answer yet, or does not know its access rules yet, in milliseconds. */
const TIMEOUT = 60_000
const PAUSE = 1000
const ANSWER_WITHIN = 10_000

type Answer = { status: number; reason: string }

const REASON = /"reason":\s*"(\w{1,64})"/

/** Requests the creation of a secret. Only status and reason of the answer are read: the rest may repeat what was sent. */
const post = async ({ host, port, folder }: SecretsConfig, body: object): Promise<Answer> => {
  const [token, ca, namespace] = ['token', 'ca.crt', 'namespace'].map((name) => readFileSync(join(folder, name), 'utf8').trim())
  const content = JSON.stringify(body)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }
  const path = `/api/v1/namespaces/${namespace}/secrets`
  const url = new URL(path, `https://${isIPv6(host) ? `[${host}]` : host}:${port}`)
  const response = await sendRequest(url, { method: 'POST', headers, ca, timeout: ANSWER_WITHIN, agent: false }, content)
  const answer = await text(response).catch(() => '')
  return { status: response.statusCode ?? 0, reason: REASON.exec(answer)?.[1] ?? '' }
}

const MADE = 201
const THERE = 409
/** Statuses that the API server may answer before a new access rule takes effect. */
const NOT_YET = new Set([401, 403, 429, 500, 503, 504])

/** Whether a retry may help: the server does not answer yet, or does not know the access rule yet. */
const mayHelp = (answer: Answer | Error) => answer instanceof Error || NOT_YET.has(answer.status)

const refusal = (answer: Answer | Error) =>
  answer instanceof Error ? answer : new Error(`the API server refuses to make a secret: ${answer.status} ${answer.reason}`)

/** Creates a secret; false if it already exists. @throws Error when it can neither be created nor exists */
const makeOne = async (config: SecretsConfig, body: object, end: number): Promise<boolean> => {
  for (;;) {
    const answer = await post(config, body).catch((error: Error) => error)
    const status = answer instanceof Error ? undefined : answer.status
    if (status === MADE) return true
    if (status === THERE) return false
    if (Date.now() > end || !mayHelp(answer)) throw refusal(answer)
    await pause(PAUSE)
  }
}

/**
 * Creates the missing secrets, with random values. Existing ones are neither read nor changed: the permission to create is all this needs.
 * @throws Error when the API server does not allow it within a minute
 */
export const makeSecrets = async (config: SecretsConfig): Promise<{ name: string; isNew: boolean }[]> => {
  const end = Date.now() + TIMEOUT
  const made: { name: string; isNew: boolean }[] = []
  for (const [name, keys] of config.secrets) {
    const stringData = Object.fromEntries(keys.map((key) => [key, makeValue()]))
    const metadata = { name, labels: config.labels }
    made.push({ name, isNew: await makeOne(config, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData }, end) })
  }
  return made
}
