import type { Selectable } from 'kysely'

/** How far someone has read a timeline: home or notifications. */
export type MarkerTable = { accountId: string; timeline: string; lastReadId: string; version: number; updatedAt: Date }

/** A marker of someone who is known. */
export type MarkerRow = Omit<Selectable<MarkerTable>, 'accountId'>
