import { bearerChallenge, HTTP_STATUSES } from '@rookery/failures'
import { asFailure } from '@rookery/rpc'

/** What a client is told of something that cannot be done. */
export type Fault = { readonly status: number; readonly message: string }

/** A failure as a client may see it; anything unforeseen says nothing of its cause. */
export const faultOf = (error: unknown): Fault => {
  const { kind, message } = asFailure(error)
  return { status: HTTP_STATUSES[kind], message }
}

/** What a 401 carries beside its body (RFC 6750, 3). */
export const challengeOf = ({ message }: Fault): string => bearerChallenge(message)
