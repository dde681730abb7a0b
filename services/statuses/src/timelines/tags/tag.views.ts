import type { TagView } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readTagMarks, readTagUses, type TagRecord } from './tag.store.ts'
import { historyStart, withHistories } from './tag-history.rules.ts'

/** Tags for a viewer or an anonymous reader. */
type TagViews = (viewerId: string, tags: readonly TagRecord[]) => Promise<TagView[]>

/** Adds to tags their histories and the viewer's state, in two statements for any number of tags. */
export const tagViews =
  ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): TagViews =>
  async (viewerId, tags) => {
    if (tags.length === 0) return []
    const now = clock.now()
    const names = tags.map(({ name }) => name)
    const [uses, marks] = await Promise.all([
      readTagUses(database, { names, sinceId: idAtTime(historyStart(now)) }),
      viewerId ? readTagMarks(database, { viewerId, names }) : [],
    ])
    const marksOf = new Map(marks.map((mark) => [mark.name, mark]))
    return withHistories(tags, uses, now).map((view) => ({ ...view, ...marksOf.get(view.name) }))
  }
