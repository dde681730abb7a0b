import { consumer, type Received } from '@rookery/events'
import { markUses } from '../../content/uses/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

const KINDS = ['statusPublished', 'statusEdited', 'statusDeleted'] as const
type Kind = (typeof KINDS)[number]

/** Whether counters may change: only public statuses count, and boosts use nothing themselves. A link is marked once its page is known. */
const mayCount = (event: Received<Kind>['event']): boolean => {
  if (event.$case === 'statusEdited') return true
  const { visibility, reblogOfId } = event.value
  return visibility === 'public' && reblogOfId === '' && (event.$case === 'statusDeleted' || event.value.tags.length > 0)
}

/** Has tags and links counted again for the authors and days of statuses that came, changed or went. */
export const markUsesOfStatuses = () =>
  consumer<StatusesTables, Kind>({
    name: 'statuses.trends',
    topic: 'statuses.v1',
    kinds: KINDS,
    isUnhurried: true,
    // Marking twice is the same as once, and so is counting.
    isIdempotent: true,
    concerns: mayCount,
    handle: (tx, received) =>
      markUses(
        tx,
        received.map(({ event }) => event.value),
      ),
  })
