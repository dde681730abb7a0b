import { LIMITS } from '@rookery/contracts/limits'

/** When an announcement is to be shown: `publishAt` is null while no one wants it shown. */
type Schedule = { publishAt: Date | null; endsAt: Date | null }

type AnnouncementState = 'published' | 'scheduled' | 'ended' | 'unpublished'

/** What becomes of an announcement by time alone; moments in milliseconds since 1970. */
export const stateOf = ({ publishAt, endsAt }: Schedule, now: number): AnnouncementState => {
  if (!publishAt) return 'unpublished'
  if (endsAt && endsAt.getTime() <= now) return 'ended'
  return publishAt.getTime() <= now ? 'published' : 'scheduled'
}

/** When its state changes next; undefined when it stays. */
export const nextMoment = (schedule: Schedule, now: number): Date | undefined => {
  const state = stateOf(schedule, now)
  if (state === 'scheduled') return schedule.publishAt ?? undefined
  return state === 'published' ? (schedule.endsAt ?? undefined) : undefined
}

/** What an announcement says, and when. */
type AnnouncementDraft = { text: string; startsAt: Date | null; endsAt: Date | null }

/** What keeps an announcement from being kept, in sentences. `isEndNew`: its end is set now, so it must not have passed. */
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
