import type { ServerResponse } from 'node:http'
import type { Call } from '@rookery/rpc'

const TIMEOUT = 15_000

/** A call on behalf of a request, given up when whoever asked goes away. */
export const callOf = (id: string, response: ServerResponse): Call => {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return { deadline: Date.now() + TIMEOUT, signal: gone.signal, trace: id }
}
