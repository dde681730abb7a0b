import type { ReadPosition } from '@rookery/contracts/notifications'
import { invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MarkerRow } from '../database/tables/marker.ts'

const TIMELINES: readonly string[] = ['home', 'notifications']

/** Whether a timeline has a marker (spec, Markers). */
export const isMarked = (timeline: string): boolean => TIMELINES.includes(timeline)

/** The next version of a marker. */
export type NextMarker = { timeline: string; lastReadId: string; version: number }

/** The markers that positions change; unchanged ones are left out. @throws Failure invalid for an invalid id */
export const nextMarkers = (positions: readonly ReadPosition[], current: readonly MarkerRow[]): NextMarker[] => {
  const byTimeline = new Map(current.map((row) => [row.timeline, row]))
  return positions.flatMap(({ timeline, lastReadId }) => {
    if (!isId(lastReadId)) throw invalid('last_read_id is not a valid id')
    const before = byTimeline.get(timeline)
    if (before && BigInt(before.lastReadId) === BigInt(lastReadId)) return []
    return { timeline, lastReadId, version: (before?.version ?? 0) + 1 }
  })
}
