import { latest } from '@rookery/cache'
import type { LiveStatus } from '@rookery/contracts/events'
import type { LiveEvent } from './audience.rules.ts'

/** Messages that are remembered: those of some minutes, more than it takes to replace a process that publishes. */
const MAX_REMEMBERED = 20_000
/** Statuses published ahead of most homes whose recipients are kept, or half of them; the second message comes within seconds. */
const MAX_AHEAD = 100

/** What of an event the message carries: one event can bring several messages, each of something else. */
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

/** A repeated status for the recipients it did not name before; undefined when there are none. */
const restOf = (status: LiveStatus, before: LiveStatus): LiveEvent | undefined => {
  const recipientIds = without(status.recipientIds, before.recipientIds)
  const listIds = without(status.listIds, before.listIds)
  if (recipientIds.length + listIds.length === 0) return undefined
  return { $case: 'status', value: { ...status, recipientIds, listIds, isListed: false, tags: [] } }
}

/** Keeps the recipients of statuses published ahead of most homes; returns a repeated one for the recipients it did not name before. */
const createAhead = () => {
  const known = latest<LiveStatus>(MAX_AHEAD)
  return (key: string, status: LiveStatus): LiveEvent | undefined => {
    const before = known.get(key)
    if (status.isAhead || before) known.set(key, status)
    return before && restOf(status, before)
  }
}

/**
 * Returns the new part of a message: all of it the first time, nothing for a repeat. Publishers repeat messages that they cannot know to be
 * published; a stream opened since the first time has read the rows already. A status published ahead of most homes is new to the
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
