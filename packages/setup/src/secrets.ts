import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sendRequest } from '@rookery/handles'
import type { SecretsConfig } from './config.ts'

/** 256 bits, in letters and digits: it can be a part of a url. */
const makeValue = () => randomBytes(32).toString('hex')

/** How long to wait for an API server that does not answer yet, or has not heard of what it allows: milliseconds. */
const TIMEOUT = 60_000
const PAUSE = 1000
const ANSWER_WITHIN = 10_000

type Answer = { status: number; reason: string }

const REASON = /"reason":\s*"(\w{1,64})"/

/** Asks for a secret to be made. Of what the server answers only status and reason are looked at: the rest may repeat what was sent. */
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
/** What a rule that was made a moment ago may still be answered with. */
const NOT_YET = new Set([401, 403, 429, 500, 503, 504])

/** Whether asking again may help: the server does not answer yet, or has not heard of the rule. */
const mayHelp = (answer: Answer | Error) => answer instanceof Error || NOT_YET.has(answer.status)

const refusal = (answer: Answer | Error) =>
  answer instanceof Error ? answer : new Error(`the API server refuses to make a secret: ${answer.status} ${answer.reason}`)

/** Whether it was made rather than found. @throws Error when it can neither be made nor be there */
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
 * Makes the secrets that are not there, with values no one has seen. One that is there is neither read nor changed: the right to create is
 * all this needs. @throws Error when the API server does not let it within a minute
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
