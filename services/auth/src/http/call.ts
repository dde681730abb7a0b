import type { Call } from '@rookery/rpc'
import type { Response } from 'express'

const SECONDS = 15

/** A call on behalf of whoever waits for an answer, given up when they leave. */
export const callOf = (response: Response): Call => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return { deadline: Date.now() + SECONDS * 1000, signal: gone.signal, trace: String(response.getHeader('X-Request-Id') ?? '') }
}
