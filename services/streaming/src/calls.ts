import type { Call } from '@rookery/rpc'

/** Calls to other services: each of use for a few seconds, all given up when the module closes. */
export type Calls = { begin(): Call; giveUp(): void }

const SECONDS = 5

export const createCalls = (): Calls => {
  const gone = new AbortController()
  return {
    // Deadlines are the machine's own time, which the other side compares with.
    begin: () => ({ deadline: Date.now() + SECONDS * 1000, signal: gone.signal, trace: '' }),
    giveUp: () => gone.abort(),
  }
}
