import { type Database, inBothOrders, type Order } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { PAGE_TYPES, type PageValues, type Skeleton, skeletonStatement } from '../../views/index.ts'
import { foundAtHome, lastOf } from './belonging.store.ts'
import type { SeenEntries } from './gather.ts'
import type { Home } from './home.rules.ts'
import { type HomeNote, homeNote, homeOf } from './home.store.ts'
import type { Look } from './look.rules.ts'

type OlderPage = PageValues & { size: number; guess: string; now: Date }

type OlderNote = { looked: number; lookedTo: string | null; home: HomeNote | null }

const older = (order: Order) =>
  skeletonStatement<OlderPage, OlderNote>(`timelines.older-${order}`, {
    parts: ({ viewerId, below, above, limit, size, guess, now }) =>
      foundAtHome({ accountId: viewerId, below, above, guess, size, now, count: limit }, 'either', order),
    page: () => sql`select id status_id, reblog_of_id from found`,
    note: ({ viewerId }) => sql`json_build_object('looked', (select count(*) from part), 'lookedTo', ${lastOf('part', order)}::text,
      'home', ${homeNote(sql`${viewerId}`)})`,
    types: { ...PAGE_TYPES, size: 'int', guess: 'bigint', now: 'timestamptz' },
    isLong: true,
  })

const STATEMENTS = inBothOrders(older)

/** A computed part of a home, its skeleton, and the state of the home: one statement. */
export type OlderPart = { seen: SeenEntries; skeleton: Skeleton; home: Home; pulls: boolean }

/** Reads a part of a home by the rule. */
export const readOlderPart = async (
  database: Database<StatusesTables>,
  { accountId, now, order }: { accountId: string; now: Date; order: Order },
  { count, ...look }: Look,
): Promise<OlderPart> => {
  const skeleton = await STATEMENTS[order](database, { viewerId: accountId, now, limit: count, ...look })
  const { looked, lookedTo, home } = skeleton.note
  const entries = skeleton.ids.map((statusId) => ({ statusId, reblogOfId: skeleton.heads.get(statusId)?.reblogOfId ?? null }))
  return { seen: { entries, looked, lookedTo }, skeleton, ...homeOf(home) }
}
