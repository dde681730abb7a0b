import { AsyncLocalStorage } from 'node:async_hooks'
import { batchInOrder, type OneAtATime, type Outcome } from '@rookery/batching'
import type { StatusPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import type { Views } from '../../views/index.ts'
import { type Draft, type FinalizedDraft, finalizeDraft } from './draft.rules.ts'
import type { KeyReservations } from './idempotency-key-reservations.ts'
import type { NewStatus } from './insert-status.store.ts'
import { type InsertOutcome, insertTogether } from './insert-together.ts'
import { isOvertaken } from './posting-order.ts'
import { toWrite, writtenPage } from './write-status.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox; inPostingOrder: OneAtATime<string>; keys: KeyReservations }

/** A post ready to get its id. */
export type ReadyPost = { draft: Draft; key: string | null; trace: string; isOrdered: boolean }

/** The id of a post, and its page; undefined if the id existed already, or the author has meanwhile published a higher one. */
export type Published = { id: string; page: StatusPage | undefined }

type PublishInOrder = {
  /** Assigns an id to a post and writes it, after the author's earlier posts. */
  publish(post: ReadyPost): Promise<Published>
  /** Writes a post with the id for which its files were claimed, independently of the author's other posts. */
  publishWithFiles(post: ReadyPost, id: string, attachments: StoredAttachment[]): Promise<Published>
}

type Prepared = { status: FinalizedDraft; values: NewStatus }

/** Publishes the posts of an author in the order of their requests. Posts that arrive while earlier ones are written share one transaction. */
export const publishInOrder = (deps: Deps): PublishInOrder => {
  const insert = insertTogether(deps.database)

  const prepare = ({ draft, trace, isOrdered }: ReadyPost, id: string, attachments: StoredAttachment[]): Prepared => {
    const status = finalizeDraft(draft, id, attachments)
    return { status, values: toWrite(status, { outbox: deps.outbox, trace, isOrdered }) }
  }

  const published = async ({ status }: Prepared, outcome: InsertOutcome): Promise<Published> => {
    if ('error' in outcome && !isOvertaken(outcome.error)) throw outcome.error
    const account = 'error' in outcome ? undefined : outcome.result
    return { id: status.id, page: account && (await writtenPage(deps, status, account)) }
  }

  /** Each post is handled in the async context of its own request, to which its events belong. */
  type Waiting = { post: ReadyPost; inContext: ReturnType<typeof AsyncLocalStorage.snapshot> }
  type Written = { prepared: Prepared; outcome: InsertOutcome }

  const write = async (authorId: string, waiting: readonly Waiting[]): Promise<Outcome<Written>[]> => {
    const ids = await Promise.allSettled(waiting.map(({ post, inContext }) => inContext(() => deps.keys.reserve(authorId, post.key))))
    const prepared = waiting.map(({ post, inContext }, index) => {
      const id = ids[index]!
      return id.status === 'fulfilled' ? inContext(() => prepare(post, id.value, [])) : undefined
    })
    const all = prepared.filter((each) => each !== undefined)
    const outcomes = all.length > 0 ? await insert(all.map(({ values }) => values)) : []
    const outcomeOf = new Map(all.map((each, index) => [each, outcomes[index]!]))
    return prepared.map((each, index) =>
      each ? { result: { prepared: each, outcome: outcomeOf.get(each)! } } : { error: (ids[index] as PromiseRejectedResult).reason },
    )
  }

  const writeInOrder = batchInOrder(deps.inPostingOrder, write)

  return {
    async publish(post) {
      const { prepared, outcome } = await writeInOrder(post.draft.authorId, { post, inContext: AsyncLocalStorage.snapshot() })
      return published(prepared, outcome)
    },
    async publishWithFiles(post, id, attachments) {
      const prepared = prepare(post, id, attachments)
      const [outcome] = await insert([prepared.values])
      return published(prepared, outcome!)
    },
  }
}
