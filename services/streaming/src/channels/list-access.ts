import type { ListsDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import type { Calls } from '../calls.ts'

/** Checks that a list belongs to the person. @throws Failure unauthenticated; unavailable when statuses is */
export type ListAccess = (accountId: string, listId: string) => Promise<void>

const DIGITS = /^\d{1,18}$/
const refused = (cause?: unknown) => new Failure('unauthenticated', 'Not authorized to stream this list', { cause })

/** Asks statuses for the owner of a list; another's list and a missing one are refused alike (beyond-the-spec 1.7). */
export const createListAccess =
  ({ lists, calls }: { lists: Client<ListsDefinition>; calls: Calls }): ListAccess =>
  async (viewerId, id) => {
    if (!DIGITS.test(id)) throw refused()
    try {
      await lists.read(calls.begin(), { id, viewerId })
    } catch (error) {
      throw error instanceof Failure && error.kind === 'not_found' ? refused(error) : error
    }
  }
