import { LIMITS } from '@rookery/contracts/limits'

/** When to publish and withdraw an announcement: `publishAt` is null while it is not to be published. */
type Schedule = { publishAt: Date | null; endsAt: Date | null }

type AnnouncementState = 'published' | 'scheduled' | 'ended' | 'unpublished'

/** The state of an announcement at a time; in milliseconds since 1970. */
export const stateOf = ({ publishAt, endsAt }: Schedule, now: number): AnnouncementState => {
  if (!publishAt) return 'unpublished'
  if (endsAt && endsAt.getTime() <= now) return 'ended'
  return publishAt.getTime() <= now ? 'published' : 'scheduled'
}

/** When its state changes next; undefined if it does not. */
export const nextMoment = (schedule: Schedule, now: number): Date | undefined => {
  const state = stateOf(schedule, now)
  if (state === 'scheduled') return schedule.publishAt ?? undefined
  return state === 'published' ? (schedule.endsAt ?? undefined) : undefined
}

/** The text and times of an announcement. */
type AnnouncementDraft = { text: string; startsAt: Date | null; endsAt: Date | null }

/** The faults of an announcement, as sentences. `isEndNew`: its end is being set, so it must be in the future. */
export const faultsOf = (
  { text, startsAt, endsAt }: AnnouncementDraft,
  { now, isEndNew }: { now: number; isEndNew: boolean },
): string[] => {
  const { textLength } = LIMITS.announcements
  const isLong = text.length > textLength && [...text].length > textLength
  return [
    ...(text.trim() === '' ? ["Text can't be blank"] : []),
    ...(isLong ? [`Text is too long (maximum is ${textLength} characters)`] : []),
    ...(startsAt && endsAt && endsAt <= startsAt ? ['Ends at must be after starts at'] : []),
    ...(isEndNew && endsAt && endsAt.getTime() <= now ? ['Ends at must be in the future'] : []),
  ]
}
