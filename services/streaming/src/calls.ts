import type { Call } from '@rookery/rpc'

/** The context of calls to other services: each has a deadline of some seconds, and all are cancelled when the module closes. */
export type Calls = { begin(): Call; giveUp(): void }

const SECONDS = 5

export const createCalls = (): Calls => {
  const gone = new AbortController()
  return {
    // On the machine's own clock, which the callee compares deadlines with.
    begin: () => ({ deadline: Date.now() + SECONDS * 1000, signal: gone.signal, trace: '' }),
    giveUp: () => gone.abort(),
  }
}
