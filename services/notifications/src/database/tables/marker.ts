import type { Selectable } from 'kysely'

/** How far somebody has read a timeline: home or notifications. */
export type MarkerTable = { account_id: string; timeline: string; last_read_id: string; version: number; updated_at: Date }

/** A marker of somebody who is known. */
export type MarkerRow = Omit<Selectable<MarkerTable>, 'account_id'>
