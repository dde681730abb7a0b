import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { voteFault } from './poll.rules.ts'
import { PollWriter } from './poll.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; clock: Clock }

/**
 * Votes in the poll of a status the viewer may see; once, with all choices (spec, POST /api/v1/polls/:id/votes).
 * @throws Failure not_found without a poll, invalid in the contract's words
 */
export const vote =
  ({ database, views, clock }: Deps) =>
  async (call: Call, { id, viewerId, choices }: { id: string; viewerId: string; choices: readonly number[] }): Promise<StatusPage> => {
    orNotFound((await views.byIds(viewerId, [id], 'direct')).items[0])
    await transactOnce(database.db, { call, step: 'vote' }, async (tx) => {
      const polls = new PollWriter(tx)
      const poll = orNotFound(await polls.lock(id, viewerId), `status ${id} has no poll`)
      const now = clock.now()
      const chosen = [...new Set(choices)]
      const fault = voteFault({
        authorId: poll.authorId,
        voterId: viewerId,
        hasVoted: poll.hasVoted,
        expiresAt: poll.expiresAt,
        isMultiple: poll.isMultiple,
        optionCount: poll.optionCount,
        choices: chosen,
        now,
      })
      if (fault) throw invalid(fault)
      await polls.record({ statusId: id, voterId: viewerId, choices: chosen, now: new Date(now) })
    })
    return views.byIds(viewerId, [id], 'direct')
  }
