import type { ListsDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import type { Calls } from '../calls.ts'

/** Refuses a list that is not the person's own. @throws Failure unauthenticated; unavailable when statuses is away */
export type ListAccess = (accountId: string, listId: string) => Promise<void>

const DIGITS = /^\d{1,18}$/
const refused = (cause?: unknown) => new Failure('unauthenticated', 'Not authorized to stream this list', { cause })

/** Asks statuses whose a list is: another's and one that is not there are refused alike (beyond-the-spec 1.7). */
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
