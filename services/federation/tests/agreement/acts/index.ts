import type { Walk } from '../walk.ts'
import { changesPolicy, deletes, edits, pins, revokes } from './own-posts.ts'
import { answersRequest, blocksDomain, ends, toAccount } from './people.ts'
import { type Act, quotes, replies, says, saysDirectly } from './posts.ts'
import { changesPicture, changesProfile, featuresTag } from './profiles.ts'
import { allVote, reacts, takesBack, votes } from './reactions.ts'
import { limitsServer, suspendsServer } from './servers.ts'
import { bars, judgesElsewhere, leaves, limits, moves, reports, returns, suspends } from './staff.ts'

/** How often each act is done, in proportion to the others. */
const ACTS: [weight: number, act: Act][] = [
  ...([
    [12, says],
    [3, saysDirectly],
    [14, replies],
    [6, quotes],
  ] satisfies [number, Act][]),
  ...([
    [12, edits],
    [2, changesPolicy],
    [5, deletes],
    [3, pins],
    [1, takesBack('pinned', 'unpin')],
    [2, revokes],
  ] satisfies [number, Act][]),
  ...([
    [6, reacts('favourite')],
    [2, takesBack('favourited', 'unfavourite')],
    [1, reacts('bookmark')],
    [6, votes],
    [2, allVote],
  ] satisfies [number, Act][]),
  ...([
    [6, reacts('reblog')],
    [2, takesBack('reblogged', 'unreblog')],
  ] satisfies [number, Act][]),
  ...([
    [9, toAccount('follow')],
    [2, ends('following', 'unfollow')],
    [2, ends('requested', 'unfollow')],
  ] satisfies [number, Act][]),
  ...([
    [2, ends('followed_by', 'remove_from_followers')],
    [5, answersRequest],
  ] satisfies [number, Act][]),
  ...([
    [2, toAccount('block')],
    [3, ends('blocking', 'unblock')],
    [1, toAccount('mute')],
    [1, ends('muting', 'unmute')],
  ] satisfies [number, Act][]),
  ...([
    [1, blocksDomain('POST')],
    [2, blocksDomain('DELETE')],
  ] satisfies [number, Act][]),
  ...([
    [7, changesProfile],
    [2, changesPicture],
    [2, featuresTag],
  ] satisfies [number, Act][]),
  ...([
    [2, suspends],
    [2, bars],
    [2, limits],
    [1, judgesElsewhere],
    [1, reports],
    [1, moves],
    [2, returns],
    [1, leaves],
  ] satisfies [number, Act][]),
  ...([
    [2, limitsServer],
    [1, suspendsServer],
  ] satisfies [number, Act][]),
]
const DECK = ACTS.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

/** What counts of someone whom staff of the other server suspended, once that is over. */
const OF_BARRED: Act[] = [edits, edits, deletes, changesProfile, ends('following', 'unfollow'), ends('blocking', 'unblock')]

/** Someone does something. */
export const actAtRandom = async (walk: Walk): Promise<void> => {
  const { random, cast } = walk
  const me = random.of(cast.actors.filter(({ isGone, isSuspended }) => !isGone && !isSuspended))
  await random.of(me.isBarred ? [...OF_BARRED, bars] : DECK)(walk, me)
}
