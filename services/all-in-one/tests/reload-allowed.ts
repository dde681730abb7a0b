import type { Difference } from './reload-differences.ts'
import type { News } from './reload-model.ts'
import type { Done } from './reload-scene.ts'

/** What streams leave to a reload on purpose (docs/streams.md, What a stream does not say): anything else that differs is a fault. */

/** The acts since the last comparison, and what the client heard of them. */
export type Period = { viewer: string; done: readonly Done[]; news: News }

type Allowance = { sentence: string; allows: (difference: Difference, period: Period) => boolean }

const isTimeline = ({ place }: Difference) => !['notifications', 'conversations', 'announcements', 'user:notification'].includes(place)
const isOf = ({ entry }: Difference, accountId: string | undefined) =>
  accountId !== undefined && JSON.stringify(entry ?? null).includes(`"id":"${accountId}"`)
/** On a stream that is the same for everyone: these get the edit that takes a status off them, too. */
const isShared = ({ place }: Difference) => /^(public|hashtag)/.test(place)
const statusIdsOf = ({ entry }: Difference): string[] =>
  [entry?.id, entry?.reblog?.id, entry?.status?.id, entry?.last_status?.id].filter((id) => id !== undefined)
const isAbout = (difference: Difference, { status }: Done) => status !== undefined && statusIdsOf(difference).includes(status)

/** Whether an act of the reader, or the clock, which ends mutes, changes what belongs on a timeline of theirs. */
const isExpected = (difference: Difference, viewer: string, { act, by, account }: Done): boolean => {
  if (act === 'wait') return difference.kind === 'lacks'
  if (by !== viewer) return false
  const isInvolved = account !== undefined && (difference.entry.reblog || JSON.stringify(difference.entry).includes(`"${account}"`))
  if (act === 'unblock' || act === 'unmute') return isInvolved
  if (isShared(difference)) return false
  return act === 'list' || act === 'tag' || (isInvolved && ['follow', 'unfollow'].includes(act))
}
/** Whether what the client shows is as it was edited. */
const wasUpdated = (difference: Difference, { updated }: News) =>
  statusIdsOf(difference).some((id) => updated.has(`${difference.place === 'conversations' ? 'user' : difference.place} ${id}`))
/** Acts after which a notification is gone. */
const TAKEN_BACK = ['unreblog', 'unfavourite', 'unfollow', 'delete', 'edit']

export const ALLOWED: readonly Allowance[] = [
  {
    sentence: "A follow, its end, the end of a block or mute, a change of a list and a followed tag change one's timelines without events.",
    allows: (difference, { viewer, done }) =>
      isTimeline(difference) && difference.kind !== 'differs' && done.some((each) => isExpected(difference, viewer, each)),
  },
  {
    sentence: 'Only the person who blocks gets deletions, not the one who is blocked.',
    allows: (difference, { viewer, done }) =>
      difference.kind !== 'differs' &&
      done.some(({ act, by, account }) => account === viewer && ['block', 'unblock'].includes(act) && isOf(difference, by)),
  },
  {
    sentence: 'Of what a block or mute hides, lists get deletions of what was at home, too.',
    allows: ({ place, kind, entry }, { viewer, done }) =>
      place.startsWith('list') &&
      kind === 'extra' &&
      done.some(
        ({ act, by, account }) => by === viewer && ['block', 'mute'].includes(act) && JSON.stringify(entry).includes(`"${account}"`),
      ),
  },
  {
    sentence: 'What staff decide about an account takes nothing off open streams.',
    allows: (difference, { done }) =>
      done.some(({ act, account }) => ['restrict', 'unrestrict'].includes(act) && isOf(difference, account)),
  },
  {
    sentence: 'Where a boost is gone, another boost of the same status takes its place on the next page.',
    allows: (difference, { viewer, done }) =>
      isTimeline(difference) &&
      difference.kind === 'lacks' &&
      difference.entry.reblog &&
      done.some(({ act, by }) => ['delete', 'unreblog', 'restrict'].includes(act) || (by === viewer && ['block', 'mute'].includes(act))),
  },
  {
    sentence:
      'An edit goes to those who have the status, as `status.update`: a timeline that it adds the status to, or takes it from, shows so on its next page.',
    allows: (difference, { done, news }) =>
      (isTimeline(difference) || difference.place === 'conversations') &&
      (difference.kind === 'lacks' || (difference.kind === 'extra' && (!isShared(difference) || wasUpdated(difference, news)))) &&
      done.some((each) => each.act === 'edit' && isAbout(difference, each)),
  },
  {
    sentence: 'Those who have a status only in a notification get its edits only if it mentions them.',
    allows: (difference, { done }) =>
      difference.place === 'notifications' &&
      difference.kind === 'differs' &&
      done.some((each) => ['edit', 'policy', 'revoke'].includes(each.act) && isAbout(difference, each)),
  },
  {
    sentence: 'A reply leaves homes and lists together with its parent, without an event of its own.',
    allows: ({ kind, entry }, { done }) =>
      kind === 'extra' && done.some(({ act, status }) => act === 'delete' && (entry.reblog ?? entry).in_reply_to_id === status),
  },
  {
    sentence: 'A notification that is withdrawn is not taken back.',
    allows: ({ place, kind, entry, ...rest }, { viewer, done, news }) =>
      place === 'notifications' &&
      kind === 'extra' &&
      (news.deleted.has(entry.status?.id) ||
        done.some(
          (each) =>
            (each.act === 'dismiss' && each.by === viewer) ||
            (TAKEN_BACK.includes(each.act) && (each.by === entry.account.id || isAbout({ place, kind, entry, ...rest }, each))),
        )),
  },
  {
    sentence: 'A conversation ends without an event: when its only status is deleted or leaves it by an edit, or its owner hides it.',
    allows: ({ place, kind, entry }, { viewer, done, news }) =>
      place === 'conversations' &&
      kind === 'extra' &&
      (news.deleted.has(entry.last_status?.id) || done.some(({ act, by }) => act === 'hide' && by === viewer)),
  },
]

/** The differences that nothing allows. */
export const faultsAmong = (differences: readonly Difference[], period: Period): Difference[] =>
  differences.filter((difference) => !ALLOWED.some(({ allows }) => allows(difference, period)))
