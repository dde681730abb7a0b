import type { StatusPage } from '@rookery/contracts/statuses'
import { type Database, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notAllowed, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { hasBlocked } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { pollVoted } from './poll.events.ts'
import { type Ballot, voteFault } from './poll.rules.ts'
import { type OpenPoll, PollWriter } from './poll.store.ts'
import { scheduleCount } from './schedule-end.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock }

/** A vote in a locked poll. */
type Cast = { voterId: string; choices: readonly number[]; now: number }

const ballotOf = (poll: OpenPoll, { voterId, choices, now }: Cast): Ballot => ({
  authorId: poll.authorId,
  voterId,
  hasVoted: poll.chosen !== null,
  ...(poll.chosen && !poll.isVoterLocal ? { earlier: poll.chosen } : {}),
  expiresAt: poll.expiresAt,
  isMultiple: poll.isMultiple,
  optionCount: poll.options.length,
  choices,
  now,
})

/**
 * Votes in the poll of a status the viewer may see; once, with all choices (spec, POST /api/v1/polls/:id/votes).
 * @throws Failure not_found without a poll; forbidden if the viewer blocks its author; invalid in the contract's words
 */
export const vote =
  ({ database, views, outbox, clock }: Deps) =>
  async (call: Call, { id, viewerId, choices }: { id: string; viewerId: string; choices: readonly number[] }): Promise<StatusPage> => {
    const { statuses } = await views.byIds(viewerId, [id], 'direct')
    const { accountId } = orNotFound(statuses.find((view) => view.id === id))
    if (await hasBlocked(database, viewerId, accountId)) throw notAllowed(`${viewerId} blocks ${accountId}`)
    await transactOnce(database.db, { call, step: 'vote' }, async (tx) => {
      const polls = new PollWriter(tx)
      const poll = orNotFound(await polls.lock(id, viewerId), `status ${id} has no poll`)
      const now = clock.now()
      const chosen = [...new Set(choices)]
      const fault = voteFault(ballotOf(poll, { voterId: viewerId, choices: chosen, now }))
      if (fault) throw invalid(fault)
      await polls.record({ statusId: id, voterId: viewerId, choices: chosen, isFirst: poll.chosen === null, now: new Date(now) })
      if (poll.isLocal) await scheduleCount(tx, id, now)
      else if (poll.isVoterLocal) {
        const titles = chosen.map((choice) => poll.options[choice] ?? '')
        await outbox.append(tx, [pollVoted({ accountId: viewerId, statusId: id, authorId: poll.authorId, choices: titles })])
      }
    })
    return views.byIds(viewerId, [id], 'direct')
  }
