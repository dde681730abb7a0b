import { DocumentError } from '../contract.ts'

/** Limits of concurrent key fetches in total and per host; each has a waiting request with its body in memory. */
const MAX_AT_ONCE = 64
const MAX_OF_HOST = 16

/** Limits the requests that wait for keys of other servers, so that slow hosts do not exhaust memory. */
export const keyGate = () => {
  const byHost = new Map<string, number>()
  let count = 0

  /** @throws DocumentError busy when there are too many */
  return async <Value>(host: string, work: () => Promise<Value>): Promise<Value> => {
    const ofHost = byHost.get(host) ?? 0
    if (count >= MAX_AT_ONCE || ofHost >= MAX_OF_HOST) throw new DocumentError('busy', 'too many keys are fetched at once')
    count++
    byHost.set(host, ofHost + 1)
    try {
      return await work()
    } finally {
      count--
      const left = byHost.get(host)! - 1
      if (left > 0) byHost.set(host, left)
      else byHost.delete(host)
    }
  }
}
