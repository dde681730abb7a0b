import { HTTP_STATUSES } from '@rookery/failures'
import { failureOf } from '@rookery/http'

/** The error answer to a failed command. */
export type Fault = { readonly status: number; readonly message: string }

/** An error as a client may see it; unexpected errors do not reveal their cause. */
export const faultOf = (error: unknown): Fault => {
  const { kind, message } = failureOf(error)
  return { status: HTTP_STATUSES[kind], message }
}
