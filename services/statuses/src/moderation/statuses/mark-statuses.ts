import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { EditWriter, replaceContent } from '../../posts/editing/index.ts'
import { readAuthors, StaffStatusWriter } from './staff-status.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** Marks a status as an edit by its author would: with a revision, and sent to other servers. */
const markLocal = async ({ outbox, clock }: Deps, tx: Tx<StatusesTables>, { id, authorId }: { id: string; authorId: string }) => {
  const before = await new EditWriter(tx).lock(id, authorId)
  if (!before || before.sensitive) return
  const tags = before.tags.map((name) => ({ name, display: name }))
  const edited = { ...before, tags, sensitive: true, at: new Date(clock.now()) }
  await replaceContent({ outbox }, tx, { before, edited, authorId, showLink: async () => undefined, trace: '' })
}

/** Marks statuses of an account as sensitive for staff; those of other servers only here. Idempotent. */
export const markStatuses =
  (deps: Deps) =>
  async (authorId: string, ids: readonly string[]): Promise<void> => {
    const known = await readAuthors(deps.database, { ids: ids.filter(isId) })
    for (const status of known.filter((each) => each.authorId === authorId)) {
      await transact(deps.database.db, (tx) =>
        status.isLocal ? markLocal(deps, tx, status) : new StaffStatusWriter(tx).markRemote(status.id),
      )
    }
  }
