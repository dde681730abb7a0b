import { batching, type Outcome } from '@rookery/batching'
import type { Database } from '@rookery/database'
import { isOutage } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { AccountRow } from '../../views/index.ts'
import { insertStatuses, type NewStatus } from './insert-status.store.ts'

/** The author's account after the insert; undefined if the id existed already. */
export type InsertOutcome = Outcome<AccountRow | undefined>

/** Maximum authors whose posts share a statement, and concurrent statements: a post waits for few others. */
const MAX_TOGETHER = 16
const MAX_AT_ONCE = 2
/** Starting this statement costs as much as ten posts: a second one begins only if the first takes this long, waiting for a lock or the disk. */
const PATIENCE_MILLISECONDS = 10

/**
 * Inserts posts of an author, in order; concurrent posts of other authors share the statement and its transaction. Outcomes are known only after the
 * commit. If a statement fails, its posts are inserted one by one, so that only the faulty one fails.
 */
export const insertTogether = (
  database: Database<StatusesTables>,
): ((posts: readonly NewStatus[]) => Promise<readonly InsertOutcome[]>) => {
  const insert = async (posts: readonly NewStatus[]): Promise<InsertOutcome[]> => {
    try {
      return (await insertStatuses(database, posts)).map((result) => ({ result }))
    } catch (error) {
      if (posts.length === 1 || isOutage(error)) return posts.map(() => ({ error }))
      const outcomes: InsertOutcome[] = []
      for (const post of posts) outcomes.push(...(await insert([post])))
      return outcomes
    }
  }

  const insertAll = batching<readonly NewStatus[], readonly InsertOutcome[]>(
    async (groups) => {
      // Two requests with one key write the same id: only the first is inserted.
      const firsts = [...new Map([...groups.flat()].reverse().map((post) => [post.id, post])).values()].reverse()
      const outcomes = await insert(firsts)
      const outcomeOf = new Map(firsts.map((post, index) => [post, outcomes[index]!]))
      return new Map(groups.map((group) => [group, group.map((post) => outcomeOf.get(post) ?? { result: undefined })]))
    },
    { max: MAX_TOGETHER, atOnce: MAX_AT_ONCE, patience: PATIENCE_MILLISECONDS },
  )
  return async (posts) => (await insertAll(posts))!
}
