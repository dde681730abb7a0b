import type { Response } from 'express'
import { stateOf } from './state.ts'

const MILLISECONDS = 15_000

/** The context of a call to another service on behalf of a client; it is cancelled when the client disconnects. */
export const callOf = (response: Response): { deadline: number; signal: AbortSignal; trace: string } => {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return { deadline: Date.now() + MILLISECONDS, signal: gone.signal, trace: stateOf(response).id }
}
