import type { Selectable } from 'kysely'

/** The read position of an account in a timeline: home or notifications. */
export type MarkerTable = { accountId: string; timeline: string; lastReadId: string; version: number; updatedAt: Date }

/** A marker without its account. */
export type MarkerRow = Omit<Selectable<MarkerTable>, 'accountId'>
