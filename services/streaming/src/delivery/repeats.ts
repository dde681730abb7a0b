import type { LiveEvent } from './audience.rules.ts'

/** Messages that are remembered: those of some minutes, more than it takes to replace a process that publishes. */
const MAX_REMEMBERED = 20_000

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

/**
 * Tells whether a message came before. Publishers publish again what they cannot know to be published; anyone who opened a stream since the
 * first time has read what it shows, because the rows were there before.
 */
export const createRepeats = (maxRemembered = MAX_REMEMBERED): ((event: LiveEvent, eventId: string | undefined) => boolean) => {
  const seen = new Set<string>()
  return (event, eventId) => {
    if (!eventId) return false
    const key = `${event.$case}/${eventId}/${subjectOf(event)}`
    if (seen.has(key)) return true
    seen.add(key)
    if (seen.size > maxRemembered) for (const oldest of seen.values().take(1)) seen.delete(oldest)
    return false
  }
}
