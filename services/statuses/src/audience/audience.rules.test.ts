import { Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { isBystander, isShown, type JudgedStatus, type Judgement } from './audience.rules.ts'

const AUTHOR = '1'
const VIEWER = '2'
const STATUS = '10'

/** The viewer: an anonymous reader, a stranger, a follower, someone mentioned, the author. */
type Viewer = 'anonymous' | 'stranger' | 'follower' | 'mentioned' | 'author'
/** A block, mute or limit between the viewer and the author. */
type State =
  | 'author of a blocked domain'
  | 'nothing'
  | 'blocked by the author'
  | 'blocking the author'
  | 'muting the author'
  | 'author silenced'
  | 'author suspended'

const VIEWERS: readonly Viewer[] = ['anonymous', 'stranger', 'follower', 'mentioned', 'author']

const status = (changes: Partial<JudgedStatus> = {}): JudgedStatus => ({
  id: STATUS,
  authorId: AUTHOR,
  authorDomain: undefined,
  visibility: Visibility.PUBLIC,
  reblogOfId: undefined,
  isAuthorSilenced: false,
  isAuthorSuspended: false,
  ...changes,
})

const idOf = (viewer: Viewer) => (viewer === 'anonymous' ? '' : viewer === 'author' ? AUTHOR : VIEWER)
const only = (id: string, holds: boolean) => new Set(holds ? [id] : [])

/** A page of one status, with the given state between its author and the viewer. */
const between = (visibility: Visibility, viewer: Viewer, state: State) => {
  const authorDomain = state === 'author of a blocked domain' ? 'loud.example' : 'quiet.example'
  const judged = status({
    visibility,
    authorDomain,
    isAuthorSilenced: state === 'author silenced',
    isAuthorSuspended: state === 'author suspended',
  })
  const ties = {
    heads: new Map([[STATUS, judged]]),
    followed: only(AUTHOR, viewer === 'follower'),
    mentioned: only(STATUS, viewer === 'mentioned'),
  }
  const blocks = {
    blockedBy: only(AUTHOR, state === 'blocked by the author'),
    blocking: only(AUTHOR, state === 'blocking the author'),
    muted: only(AUTHOR, state === 'muting the author'),
    blockedDomains: new Set(state === 'author of a blocked domain' ? ['loud.example', 'other.example'] : ['other.example']),
  }
  return { ties, blocks }
}

const shown = (visibility: Visibility, viewer: Viewer, state: State = 'nothing', judgement: Judgement = 'timeline') => {
  const { ties, blocks } = between(visibility, viewer, state)
  return isShown(STATUS, ties, idOf(viewer), blocks, judgement)
}

const who = (visibility: Visibility, state?: State, judgement?: Judgement) =>
  VIEWERS.filter((viewer) => shown(visibility, viewer, state, judgement))

describe('who sees a status', () => {
  test.each<[string, Visibility, Viewer[]]>([
    ['public: everyone', Visibility.PUBLIC, ['anonymous', 'stranger', 'follower', 'mentioned', 'author']],
    ['unlisted: everyone', Visibility.UNLISTED, ['anonymous', 'stranger', 'follower', 'mentioned', 'author']],
    ['private: followers, mentioned people and the author', Visibility.PRIVATE, ['follower', 'mentioned', 'author']],
    ['direct: mentioned people and the author, not a follower', Visibility.DIRECT, ['mentioned', 'author']],
  ])('%s, on timelines, in threads and by id alike', (_name, visibility, viewers) => {
    for (const judgement of ['timeline', 'thread', 'direct'] as const) expect(who(visibility, 'nothing', judgement)).toEqual(viewers)
  })

  const ALL = [Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE, Visibility.DIRECT]

  test.each(ALL)('visibility %i: nothing of an author who blocks the viewer, even by id', (visibility) => {
    for (const judgement of ['timeline', 'thread', 'direct'] as const) {
      expect(shown(visibility, 'stranger', 'blocked by the author', judgement)).toBe(false)
      expect(shown(visibility, 'follower', 'blocked by the author', judgement)).toBe(false)
      expect(shown(visibility, 'mentioned', 'blocked by the author', judgement)).toBe(false)
    }
  })

  test.each<State>(['blocking the author', 'muting the author', 'author of a blocked domain'])(
    '%s hides what they post on timelines and in threads, not by id',
    (state) => {
      for (const visibility of ALL) {
        expect(shown(visibility, 'mentioned', state, 'timeline')).toBe(false)
        expect(shown(visibility, 'mentioned', state, 'thread')).toBe(false)
        expect(shown(visibility, 'mentioned', state, 'direct')).toBe(true)
      }
    },
  )

  test.each(ALL)('visibility %i: nothing of a suspended author, to no one', (visibility) => {
    for (const judgement of ['timeline', 'thread', 'direct'] as const) expect(who(visibility, 'author suspended', judgement)).toEqual([])
  })

  test('a silenced author is left out of threads and homes for those who do not follow them, and nowhere else', () => {
    for (const judgement of ['thread', 'home'] as const)
      expect(who(Visibility.PUBLIC, 'author silenced', judgement)).toEqual(['follower', 'author'])
    expect(who(Visibility.PUBLIC, 'author silenced', 'timeline')).toEqual(VIEWERS)
    expect(who(Visibility.PUBLIC, 'author silenced', 'direct')).toEqual(VIEWERS)
  })

  test('a status that is gone is shown to no one, not even as their own', () => {
    const nothing = { heads: new Map(), followed: new Set<string>(), mentioned: new Set<string>() }
    const noBlocks = {
      blockedBy: new Set<string>(),
      blocking: new Set<string>(),
      muted: new Set<string>(),
      blockedDomains: new Set<string>(),
    }
    expect(isShown(STATUS, nothing, AUTHOR, noBlocks, 'own')).toBe(false)
  })
})

describe('who is nothing to a page', () => {
  const bystanders = (state: State) =>
    VIEWERS.filter((viewer) => {
      const { ties, blocks } = between(Visibility.PUBLIC, viewer, state)
      return isBystander(ties, idOf(viewer), blocks)
    })

  test.each<State>(['nothing', 'author silenced', 'author suspended'])(
    '%s: no followers, no one mentioned, and not the author',
    (state) => {
      expect(bystanders(state)).toEqual(['anonymous', 'stranger'])
    },
  )

  test.each<State>(['blocked by the author', 'blocking the author', 'muting the author', 'author of a blocked domain'])(
    '%s: no one',
    (state) => {
      expect(bystanders(state)).toEqual([])
    },
  )
})

describe('who sees a boost', () => {
  const BOOST = '11'
  const BOOSTER = '3'
  const boosted = (
    original: Partial<JudgedStatus>,
    blocks: { blockedBy?: string[]; muted?: string[] } = {},
    judgement: Judgement = 'timeline',
  ) => {
    const heads = new Map([
      [STATUS, status(original)],
      [BOOST, status({ id: BOOST, authorId: BOOSTER, reblogOfId: STATUS })],
    ])
    const sets = {
      blocking: new Set<string>(),
      blockedBy: new Set(blocks.blockedBy),
      muted: new Set(blocks.muted),
      blockedDomains: new Set<string>(),
    }
    return isShown(BOOST, { heads, followed: new Set(), mentioned: new Set() }, VIEWER, sets, judgement)
  }

  test('those who see the boost and the original', () => {
    expect(boosted({})).toBe(true)
    expect(boosted({ visibility: Visibility.PRIVATE })).toBe(false)
    expect(boosted({ isAuthorSuspended: true })).toBe(false)
  })

  test('no one whom either author blocks, nor on timelines anyone who mutes either', () => {
    expect(boosted({}, { blockedBy: [AUTHOR] })).toBe(false)
    expect(boosted({}, { blockedBy: [BOOSTER] })).toBe(false)
    expect(boosted({}, { muted: [AUTHOR] })).toBe(false)
    expect(boosted({}, { muted: [BOOSTER] })).toBe(false)
    expect(boosted({}, { muted: [AUTHOR] }, 'direct')).toBe(true)
  })

  test('on the booster’s profile those who mute the booster, and not those who mute the original author', () => {
    expect(boosted({}, { muted: [BOOSTER] }, 'profile')).toBe(true)
    expect(boosted({}, { muted: [AUTHOR] }, 'profile')).toBe(false)
  })

  test('the booster among their own, even when the original author blocks them', () => {
    expect(boosted({}, { blockedBy: [AUTHOR] }, 'own')).toBe(true)
  })
})
