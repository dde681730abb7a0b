import { consumer, type Received } from '@rookery/events'
import { markUses } from '../../content/uses/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

const KINDS = ['statusPublished', 'statusEdited', 'statusDeleted'] as const
type Kind = (typeof KINDS)[number]

/** Whether counters may change: only public statuses count, and boosts do not. A link is marked once its page is known. */
const mayCount = (event: Received<Kind>['event']): boolean => {
  if (event.$case === 'statusEdited') return true
  const { visibility, reblogOfId } = event.value
  return visibility === 'public' && reblogOfId === '' && (event.$case === 'statusDeleted' || event.value.tags.length > 0)
}

/** Marks the days of new, edited and deleted statuses, so that their tags and links are counted again. */
export const markUsesOfStatuses = () =>
  consumer<StatusesTables, Kind>({
    name: 'statuses.trends',
    topic: 'statuses.v1',
    kinds: KINDS,
    isUnhurried: true,
    // Marking and counting are idempotent.
    isIdempotent: true,
    concerns: mayCount,
    handle: (tx, received) =>
      markUses(
        tx,
        received.map(({ event }) => event.value),
      ),
  })
