import { HTTP_STATUSES } from '@rookery/failures'
import { failureOf } from '@rookery/http'

/** The error message of a command that cannot be done. */
export type Fault = { readonly status: number; readonly message: string }

/** A failure as a client may see it; anything unforeseen says nothing of its cause. */
export const faultOf = (error: unknown): Fault => {
  const { kind, message } = failureOf(error)
  return { status: HTTP_STATUSES[kind], message }
}
