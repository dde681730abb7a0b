import type { Call } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'

const SECONDS = 15

/** A call outside of any request, with a deadline of its own; it also aborts with the signal of its work, if there is one. */
export const ownCall = (signal?: AbortSignal): Call => callWithin(SECONDS, 'federation', signal)
