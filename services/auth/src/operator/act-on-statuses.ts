import type { ActedOnStatuses, ActOnStatusesRequest } from '@rookery/contracts/auth'
import type { StaffStatusesDefinition } from '@rookery/contracts/statuses'
import { Failure, invalid, notFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import { type AccountActs, isActName, isOnStatuses } from '../moderation/index.ts'

type Deps = { acts: AccountActs; statuses: { staffStatuses: Client<StaffStatusesDefinition> } }

/** Deletes statuses or marks them as sensitive, for an operator: one act per author. @throws Failure not_found if none of them exists */
export const actOnStatuses =
  ({ acts, statuses }: Deps) =>
  async (call: Call, { action, statusIds, ...warning }: ActOnStatusesRequest): Promise<ActedOnStatuses> => {
    if (!isActName(action) || !isOnStatuses(action)) throw invalid('Action is not included in the list')
    const { authors } = await statuses.staffStatuses.readAuthors(call, { statusIds })
    if (authors.length === 0) throw notFound('no such statuses')
    for (const [accountId, own] of Map.groupBy(authors, (author) => author.accountId)) {
      const about = { ...warning, statusIds: own.map(({ statusId }) => statusId) }
      await acts.act(call, action, { accountId }, about).catch((error: unknown) => {
        // An author without a login is remote.
        if (error instanceof Failure && error.kind === 'not_found') return acts.remote.act(call, action, { accountId, staffId: '' }, about)
        throw error
      })
    }
    return { statusIds: authors.map(({ statusId }) => statusId) }
  }
