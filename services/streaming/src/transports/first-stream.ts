import type { Request } from 'express'
import type { OpenChannels } from '../channels/open.ts'
import type { Person, Place } from '../channels/subscriber.ts'
import { addressOf, requestedIn } from './address.ts'
import { type Fault, faultOf } from './faults.ts'

/** The stream requested by the handshake: its place, or why it is refused. */
export type FirstStream = { readonly place?: Place; readonly since?: string | undefined; readonly fault?: Fault }

/** Prepares the stream of the handshake. @throws Failure of the server: then the handshake fails too */
export const prepareFirst = async (open: OpenChannels, request: Request, person: Person): Promise<FirstStream> => {
  const { query } = addressOf(request)
  const first = requestedIn(query, query.get('stream'))
  if (first.stream === undefined) return {}
  try {
    return { place: await open.prepare(person, first), since: query.get('since') ?? undefined }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.status >= 500) throw error
    return { fault }
  }
}
