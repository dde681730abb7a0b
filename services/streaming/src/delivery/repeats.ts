import { latest } from '@rookery/cache'
import type { LiveStatus } from '@rookery/contracts/events'
import type { LiveEvent } from './audience.rules.ts'

/** How many messages are remembered: those of some minutes, longer than a publisher takes to be replaced. */
const MAX_REMEMBERED = 20_000
/** About how many statuses published ahead of most homes have their recipients cached; the second message comes within seconds. */
const MAX_AHEAD = 100

/** The subject of a message: one event can lead to several messages about different subjects. */
const subjectOf = (event: LiveEvent): string => {
  switch (event.$case) {
    case 'status':
    case 'deletion':
      return event.value.statusId
    case 'notification':
      return event.value.id
    case 'conversation':
      return event.value.conversationId
    default:
      return ''
  }
}

const without = (ids: readonly string[], known: readonly string[]): string[] => {
  const those = new Set(known)
  return ids.filter((id) => !those.has(id))
}

/** A repeated status for additional recipients; undefined without any. */
const restOf = (status: LiveStatus, before: LiveStatus): LiveEvent | undefined => {
  const recipientIds = without(status.recipientIds, before.recipientIds)
  const listIds = without(status.listIds, before.listIds)
  if (recipientIds.length + listIds.length === 0) return undefined
  return { $case: 'status', value: { ...status, recipientIds, listIds, isListed: false, tags: [] } }
}

/** Caches the recipients of statuses published ahead of most homes; returns a repeated status for additional recipients. */
const createAhead = () => {
  const known = latest<LiveStatus>(MAX_AHEAD)
  return (key: string, status: LiveStatus): LiveEvent | undefined => {
    const before = known.get(key)
    if (status.isAhead || before) known.set(key, status)
    return before && restOf(status, before)
  }
}

/**
 * Returns the new part of a message: all of it the first time, nothing for a repeat. Publishers repeat messages that may not have been
 * published; streams opened since the first time have already read the rows. A status published ahead of most homes is new to the
 * recipients that only its repeat names.
 */
export const createRepeats = (
  maxRemembered = MAX_REMEMBERED,
): ((event: LiveEvent, eventId: string | undefined) => LiveEvent | undefined) => {
  const seen = new Set<string>()
  const restOfAhead = createAhead()
  return (event, eventId) => {
    if (!eventId) return event
    const key = `${event.$case}/${eventId}/${subjectOf(event)}`
    const rest = event.$case === 'status' ? restOfAhead(key, event.value) : undefined
    if (seen.has(key)) return rest
    seen.add(key)
    if (seen.size > maxRemembered) for (const oldest of seen.values().take(1)) seen.delete(oldest)
    return event
  }
}
