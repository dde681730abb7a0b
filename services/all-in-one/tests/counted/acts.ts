import { leaving, listing, moderating, tagging } from './keeping.ts'
import { marking, voting } from './marking.ts'
import { authoring, posting, quoting, scheduling } from './posting.ts'
import { admitting, relating } from './relating.ts'
import { drawing, type Maker, type Stage } from './stage.ts'

type Weighted = [weight: number, make: Maker]

const withStatuses = (stage: Stage): Weighted[] => {
  const drawn = drawing(stage)
  const [posts, own, quotes, marks] = [posting(stage, drawn), authoring(stage, drawn), quoting(stage, drawn), marking(stage, drawn)]
  return [
    [13, posts.plain],
    [9, posts.reply],
    [8, posts.quote],
    [3, posts.poll],
    [2, scheduling(stage, drawn)],
    [8, own.remove],
    [6, own.edit],
    [4, own.pin],
    [2, own.unpin],
    [3, quotes.revoke],
    [2, quotes.policy],
    [14, marks.favourite.set],
    [5, marks.favourite.unset],
    [10, marks.reblog.set],
    [5, marks.reblog.unset],
    [5, marks.bookmark.set],
    [2, marks.bookmark.unset],
    [3, marks.mute.set],
    [2, marks.mute.unset],
    [7, voting(stage, drawn)],
  ]
}

const withAccounts = (stage: Stage): Weighted[] => {
  const drawn = drawing(stage)
  const [pairs, requests, lists] = [relating(stage, drawn), admitting(stage, drawn), listing(stage, drawn)]
  const [tags, staff] = [tagging(stage, drawn), moderating(stage, drawn)]
  return [
    [14, pairs.follow],
    [5, pairs.adjust],
    [5, pairs.unfollow],
    [2, pairs.removeFollower],
    [3, pairs.block],
    [4, pairs.unblock],
    [3, pairs.mute],
    [2, pairs.unmute],
    [2, pairs.note],
    [4, pairs.endorse],
    [1, pairs.unendorse],
    [4, requests.answer],
    [2, requests.lock],
    [2, lists.create],
    [0.6, lists.remove],
    [6, lists.join],
    [2, lists.leave],
    [3, tags.feature],
    [1, tags.unfeature],
    [2, tags.follow],
    [1, tags.unfollow],
    [0.4, leaving(stage, drawn)],
    [0.6, staff.suspend],
    [1, staff.unsuspend],
    [0.6, staff.silence],
    [1, staff.unsilence],
  ]
}

/** Draws acts at random, as often as their weights say. */
export const liveliness = (stage: Stage): Maker => {
  const all = [...withStatuses(stage), ...withAccounts(stage)]
  const makers = all.flatMap(([weight, make]) => Array.from({ length: Math.round(weight * 5) }, () => make))
  return () => stage.random.of(makers)()
}
