import type { ReadPosition } from '@rookery/contracts/notifications'
import { invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MarkerRow } from '../database/tables/marker.ts'

const TIMELINES: readonly string[] = ['home', 'notifications']

/** Whether a timeline can be marked (spec, Markers). */
export const isMarked = (timeline: string): boolean => TIMELINES.includes(timeline)

/** A marker as it is to be, one version on. */
export type NextMarker = { timeline: string; lastReadId: string; version: number }

/** What positions change: those a marker stands at already change nothing. @throws Failure invalid for what cannot be an id */
export const nextMarkers = (positions: readonly ReadPosition[], current: readonly MarkerRow[]): NextMarker[] => {
  const byTimeline = new Map(current.map((row) => [row.timeline, row]))
  return positions.flatMap(({ timeline, lastReadId }) => {
    if (!isId(lastReadId)) throw invalid('last_read_id is not a valid id')
    const before = byTimeline.get(timeline)
    if (before && BigInt(before.lastReadId) === BigInt(lastReadId)) return []
    return { timeline, lastReadId, version: (before?.version ?? 0) + 1 }
  })
}
