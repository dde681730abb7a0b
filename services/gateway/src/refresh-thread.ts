import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'

/** How long an answer waits for the job to be stored, in milliseconds. */
const MAX_WAIT = 1000

/**
 * Requests that federation fetches replies to a status of another server for a reader of its thread; the next read shows them. Does nothing
 * for readers without an account, and while federation is unavailable.
 */
export const refreshThread = async (
  call: Call,
  { originUri, viewerId }: { originUri: string; viewerId: string },
  { resolver }: Pick<Clients, 'resolver'>,
): Promise<void> => {
  if (originUri === '' || viewerId === '') return
  const waiting = { ...call, deadline: Math.min(call.deadline, Date.now() + MAX_WAIT) }
  try {
    await resolver.refreshThread(waiting, { statusUri: originUri, askerId: viewerId })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}
