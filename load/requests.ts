import exec from 'k6/execution'
import http, { type RefinedResponse } from 'k6/http'
import { TARGET } from './settings.ts'

type Body = Record<string, string | boolean | number | readonly string[]>
type Deps = { token?: string; body?: Body; query?: Record<string, string> }
type Answer = RefinedResponse<'text'>

const queryOf = (query: Record<string, string>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** A path without what differs from record to record, so that figures of like requests come together. */
const nameOf = (method: string, path: string) => `${method} ${path.replace(/\/\d+(?=\/|$)/g, '/ID')}`

const stopWhenLimited = ({ status, url }: Answer) => {
  if (status !== 429) return
  exec.test.abort(`The server limits requests (429 at ${url}): all of these come from one address. Set RATE_LIMITS=off on it for the test.`)
}

/** Asks the server. What differs between records is left out of the name under which the answer counts. */
export const ask = (method: 'GET' | 'POST', path: string, { token, body, query }: Deps = {}): Answer => {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (token) headers['Authorization'] = `Bearer ${token}`
  const url = `${TARGET}${path}${query ? `?${queryOf(query)}` : ''}`
  const answer = http.request(method, url, body ? JSON.stringify(body) : null, {
    headers,
    responseType: 'text',
    tags: { name: nameOf(method, path) },
  })
  stopWhenLimited(answer)
  return answer
}

/** What was answered, as JSON; undefined when the server did not do as asked. */
export const read = <Answered>(answer: Answer): Answered | undefined =>
  answer.status === 200 ? (answer.json() as Answered | undefined) : undefined
