// What `helm test` runs inside the cluster: one person's first minute, through the services people reach.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const { GATEWAY = '', STREAMING = '', BASE_URL = '' } = process.env
const name = `check_${randomBytes(6).toString('hex')}`
const { host, protocol } = new URL(BASE_URL)

const rookery = async (...words: string[]) => (await promisify(execFile)('rookery', words)).stdout.trim()

/** Asks as the proxy in front would hand the request on. */
const ask = async (path: string, init: RequestInit = {}, origin = GATEWAY) => {
  const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1), ...init.headers }
  const response = await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(15_000), ...init, headers })
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${response.status}: ${await response.text()}`)
  return response
}

const words = ['accounts', 'create', name, '--email', `${name}@check.invalid`, '--confirmed', '--token', 'read write']
const token = (await rookery(...words)).split('\n').at(-1)
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
console.log(`${name} has an account`)

try {
  const stop = new AbortController()
  const stream = await ask('/api/v1/streaming/user', { headers, signal: stop.signal }, STREAMING)
  const text = `Checked at ${new Date().toISOString()}`
  const body = JSON.stringify({ status: text, visibility: 'direct' })
  const status = (await (await ask('/api/v1/statuses', { method: 'POST', headers, body })).json()) as { id: string }
  console.log('posted', status.id)

  const late = setTimeout(() => stop.abort(new Error('the stream sent nothing for 30 seconds')), 30_000)
  let heard = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream.body ?? []) {
    heard += decoder.decode(bytes, { stream: true })
    if (heard.includes(status.id)) break
  }
  clearTimeout(late)
  stop.abort()
  if (!heard.includes(status.id)) throw new Error('the stream ended before it sent the post')
  console.log('heard of it on the stream')

  const read = (await (await ask(`/api/v1/statuses/${status.id}`, { headers })).json()) as { content: string }
  if (!read.content.includes(text)) throw new Error(`the post reads differently: ${read.content}`)
  await ask(`/api/v1/statuses/${status.id}`, { method: 'DELETE', headers })
  console.log('read and deleted it')
} finally {
  await rookery('accounts', 'delete', name, '--confirm', name)
  console.log('the account is deleted')
}
