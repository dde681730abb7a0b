import type { Database, Order } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Skeleton, Views } from '../../views/index.ts'
import { lookThrough } from './belonging.store.ts'
import { gather } from './gather.ts'
import { firstLook, type Look } from './look.rules.ts'
import { type OlderPart, readOlderPart } from './older.store.ts'
import { openNear } from './open.store.ts'
import type { FindEntries, ReadIds } from './read-older.ts'
import type { Spacing } from './spacing.ts'

type Deps = { database: Database<StatusesTables>; views: Views; spacing: Spacing }

/** The entries of a home below its stored ones, for one page. */
export type OlderEntries = {
  find: FindEntries
  /** The result of the first search, before it is known to be needed. */
  peek(wanted: Parameters<FindEntries>[0]): Promise<OlderPart>
  /** The skeleton of a page with these ids. */
  skeleton(read: ReadIds): Promise<Skeleton>
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((each, index) => each === other[index])

/** Computes entries by the rule. The first scan also reads the skeleton of its entries, which usually is the page. */
export const olderEntries = ({ database, views, spacing }: Deps, reader: { accountId: string; now: Date }): OlderEntries => {
  let first: { asked: readonly unknown[]; part: OlderPart } | undefined
  const askedBy = (order: Order, { below, above, size, count }: Look) => [order, below, above, size, count]
  const lookFirst = async (order: Order, look: Look) => {
    if (first) return first
    const guessed = spacing.guess(reader.accountId, order, look)
    const part = await readOlderPart(database, { ...reader, order }, guessed)
    spacing.note(reader.accountId, order, guessed, part.seen)
    first = { asked: askedBy(order, look), part }
    return first
  }
  return {
    find: ({ order, ...wanted }) => {
      const seeIn = async (look: Look) => {
        const { asked, part } = await lookFirst(order, look)
        return isSame(asked, askedBy(order, look)) ? part.seen : lookThrough(database.db, { ...reader, order, way: 'either' }, look)
      }
      return gather({ ...wanted, order }, seeIn, openNear(database.db))
    },
    peek: async ({ order, ...wanted }) => (await lookFirst(order, firstLook({ ...wanted, order }))).part,
    skeleton: async ({ ids, ...end }) => {
      const known = first && isSame(first.part.skeleton.ids, ids) ? first.part.skeleton : await views.skeleton(reader.accountId, ids)
      return { ...known, ...end }
    },
  }
}
