import { uploads } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Audience, type Json, MENTIONS, openAudience, type Pushed, type Reader, type Readers, tableOf } from './live-audience.ts'
import { TAG } from './live-ears.ts'
import { expectGone, expectNowhereElse, expectPagesAlike } from './live-pages.ts'
import {
  atHome,
  EVERYONE,
  FOLLOWERS,
  inPublic,
  joined,
  MENTIONED,
  notified,
  onList,
  onStreams,
  TAG_FOLLOWERS,
  type Table,
  tagged,
  withMedia,
  withReaders,
} from './live-tables.ts'

// The live events of operations on statuses, by stream and receiver (beyond-the-spec 1.7), which must agree with pages.

describe.each([
  ['without filters', undefined],
  ['with filters', 'tea'],
])('%s', (_title, filter) => {
  let audience: Audience
  let people: Readers
  beforeAll(async () => {
    audience = await openAudience(filter ? { filter } : {})
    people = audience.people
  })
  afterAll(() => audience?.close())

  const expectFilters = (pushed: readonly Pushed[]) => {
    for (const { event, payload, reader } of pushed) {
      if (event !== 'update' && event !== 'status.update') continue
      const { filtered, content, reblog } = JSON.parse(payload ?? '')
      const isFiltered = filter !== undefined && (reblog?.content ?? content).includes('tea')
      expect([reader, filtered.map(({ keyword_matches }: Json) => keyword_matches)]).toEqual([reader, isFiltered ? [['tea']] : []])
    }
  }

  const POSTS: [string, Record<string, unknown>, Table][] = [
    ['public', {}, joined(atHome('update', TAG_FOLLOWERS), onList('update'), inPublic('update'), tagged('update'), notified(MENTIONED))],
    ['unlisted', { visibility: 'unlisted' }, joined(atHome('update', FOLLOWERS), onList('update'), notified(MENTIONED))],
    ['private', { visibility: 'private' }, joined(atHome('update', FOLLOWERS), onList('update'), notified(MENTIONED))],
    [
      'direct',
      { visibility: 'direct' },
      joined(atHome('update', ['author', 'friend']), notified(['friend']), onStreams(['direct'], 'conversation', ['author', ...MENTIONED])),
    ],
  ]

  test.each(POSTS)('a %s post', async (_visibility, more, wanted) => {
    const { result, pushed } = await audience.after(() => people.author.says(`some tea #${TAG} for ${MENTIONS}`, more))
    expect(tableOf(pushed)).toEqual(wanted)
    expectFilters(pushed)
    await expectPagesAlike(audience, pushed)
    await expectNowhereElse(audience, result.id, pushed, () => true)
  })

  test('a public post with a picture', async () => {
    const media = await uploads(people.author)
    const { result, pushed } = await audience.after(() => people.author.says(`tea in a cup #${TAG}`, { media_ids: [media] }))
    const shared = [inPublic('update'), withMedia('update'), tagged('update')]
    expect(tableOf(pushed)).toEqual(joined(atHome('update', TAG_FOLLOWERS), onList('update'), ...shared))
    expectFilters(pushed)
    await expectPagesAlike(audience, pushed)
    await expectNowhereElse(audience, result.id, pushed, () => true)
  })

  test('a reply to someone else is not in public', async () => {
    const parent = await people.stranger.says('who drinks?')
    const { result, pushed } = await audience.after(() => people.author.says(`@stranger tea #${TAG}`, { in_reply_to_id: parent.id }))
    // The followers do not follow the stranger; tags are independent of follows.
    expect(tableOf(pushed)).toEqual(joined(atHome('update', ['author', 'tagger']), tagged('update'), notified(['stranger'])))
    expectFilters(pushed)
    await expectPagesAlike(audience, pushed)
    await expectNowhereElse(audience, result.id, pushed, () => true)
  })

  test('a reply to oneself is', async () => {
    const parent = await people.author.says('who drinks?')
    const { result, pushed } = await audience.after(() => people.author.says('I do: tea', { in_reply_to_id: parent.id }))
    expect(tableOf(pushed)).toEqual(joined(atHome('update', FOLLOWERS), onList('update'), inPublic('update')))
    expectFilters(pushed)
    await expectPagesAlike(audience, pushed)
    await expectNowhereElse(audience, result.id, pushed, () => true)
  })

  test('a quote of a status with a poll, as each sees it: pinned, voted on, filtered', async () => {
    const quoted = await people.owner.says('which tea?', { poll: { options: ['green', 'black'], expires_in: 600 } })
    await people.owner.reacts('pin', quoted)
    await people.follower.reacts('favourite', quoted)
    await people.friend.post(`/api/v1/polls/${quoted.poll.id}/votes`, { choices: [1] })
    const { pushed } = await audience.after(() => people.author.says(`look #${TAG}`, { quoted_status_id: quoted.id }))
    const shared = [inPublic('update'), tagged('update')]
    expect(tableOf(pushed)).toEqual(joined(atHome('update', TAG_FOLLOWERS), onList('update'), ...shared, notified(['owner'])))
    await expectPagesAlike(audience, pushed)
  })

  test('a boost of what is at home already is not on the streams of who has it there, the booster included', async () => {
    const original = await people.author.says('my tea')
    const { pushed } = await audience.after(() => people.follower.reacts('reblog', original))
    expect(tableOf(pushed)).toEqual(notified(['author']))
    await expectPagesAlike(audience, pushed)
  })

  test('a boost, and the boost taken back', async () => {
    // By the owner of the list, whose own status it is, and who has it at home already.
    const original = await people.owner.says(`my tea #${TAG}`)
    await people.owner.reacts('pin', original)
    const { result, pushed } = await audience.after(() => people.author.reacts('reblog', original))
    const home: Reader[] = ['author', 'follower', 'friend']
    expect(tableOf(pushed)).toEqual(joined(atHome('update', home), onList('update'), notified(['owner'])))
    expectFilters(pushed)
    await expectPagesAlike(audience, pushed)
    await expectNowhereElse(audience, result.id, pushed, () => true)
    const undone = await audience.after(() => people.author.reacts('unreblog', original))
    expect(tableOf(undone.pushed)).toEqual(joined(atHome('delete', home), onList('delete')))
    expect(undone.pushed.every(({ payload }) => payload === result.id)).toBe(true)
    await expectGone(audience, result.id)
  })

  describe('an edit, and a deletion,', () => {
    const CHANGES: [string, Record<string, unknown>, (event: string) => Table][] = [
      ['public', {}, (event) => joined(atHome(event, TAG_FOLLOWERS), onList(event), inPublic(event), tagged(event))],
      ['unlisted', { visibility: 'unlisted' }, (event) => joined(atHome(event, FOLLOWERS), onList(event))],
      ['private', { visibility: 'private' }, (event) => joined(atHome(event, FOLLOWERS), onList(event))],
      ['direct', { visibility: 'direct' }, (event) => atHome(event, ['author', 'friend'])],
    ]

    test.each(CHANGES)('of a %s post go where it was', async (visibility, more, wanted) => {
      const said = await people.author.says(`some tea #${TAG} for ${MENTIONS}`, {
        ...more,
        poll: { options: ['green', 'black'], expires_in: 600 },
      })
      // Each reader has another relation to it.
      await people.guest.reacts('favourite', said)
      await people.friend.reacts('bookmark', said)
      await people.friend.post(`/api/v1/polls/${said.poll.id}/votes`, { choices: [1] })
      await people.friend.reacts('mute', said)
      if (visibility === 'public') await people.author.reacts('pin', said)
      if (visibility === 'public' || visibility === 'unlisted') await people.stranger.reacts('reblog', said)
      const body = { status: `more tea #${TAG} for ${MENTIONS}`, poll: { options: ['green', 'black'], expires_in: 600 } }
      const edited = await audience.after(() => people.author.asks('PUT', `/api/v1/statuses/${said.id}`, { body }))
      expect(edited.result.status).toBe(200)
      const here = wanted('status.update')
      const holders = here.user!['status.update']!
      const boosters: Reader[] = visibility === 'public' || visibility === 'unlisted' ? ['stranger'] : []
      const own = atHome('status.update', withReaders(holders, ...MENTIONED, ...boosters))
      expect(tableOf(edited.pushed)).toEqual(joined(here, own, boosters.length > 0 ? notified(boosters) : {}))
      expectFilters(edited.pushed)
      await expectPagesAlike(audience, edited.pushed, (reader) => holders.includes(reader))
      await expectNowhereElse(audience, said.id, edited.pushed, (reader) => holders.includes(reader))

      const deleted = await audience.after(() => people.author.asks('DELETE', `/api/v1/statuses/${said.id}`))
      expect(deleted.result.status).toBe(200)
      // Deletions go to everyone who got the status: also to those who mute and are mentioned.
      const gone = wanted('delete')
      const listeners = { ...gone, user: { delete: withReaders(gone.user!['delete']!, ...MENTIONED, 'muter') } }
      for (const stream of Object.keys(listeners)) {
        if (stream.startsWith('public') || stream.startsWith('hashtag')) Object.assign(listeners, onStreams([stream], 'delete', EVERYONE))
      }
      const ofSaid = deleted.pushed.filter(({ payload }) => payload === said.id)
      expect(tableOf(ofSaid)).toEqual(listeners)
      // The stranger's boost is deleted too, and was shown to the stranger only.
      const others = deleted.pushed.filter(({ payload }) => payload !== said.id)
      expect(tableOf(others)).toEqual(boosters.length > 0 ? atHome('delete', boosters) : {})
      await expectGone(audience, said.id)
    })
  })

  test('an edit goes to those who have the status only by a boost, at home and on lists', async () => {
    const original = await people.stranger.says('what is this?')
    const boost = await people.author.reacts('reblog', original)
    const edit = { body: { status: 'some tea' } }
    const { pushed } = await audience.after(() => people.stranger.asks('PUT', `/api/v1/statuses/${original.id}`, edit))
    const byBoost: Reader[] = ['author', 'follower', 'friend', 'owner']
    const event = 'status.update'
    const home = atHome(event, withReaders(byBoost, 'stranger'))
    expect(tableOf(pushed)).toEqual(joined(home, onList(event), inPublic(event, EVERYONE), notified(['author'])))
    expectFilters(pushed)
    await expectPagesAlike(
      audience,
      pushed.filter(({ stream }) => stream !== 'list'),
      (reader) => reader === 'stranger',
    )
    for (const reader of byBoost) {
      const shown = (await people[reader].home()).find(({ id }: Json) => id === boost.id)
      expect([reader, shown.reblog.content]).toEqual([reader, '<p>some tea</p>'])
    }
  })

  describe('whom a block or mute has come between since', () => {
    let said: Json
    beforeEach(async () => {
      said = await people.author.says(`tea #${TAG} for @guest`)
    })

    test.each([
      ['the author blocks them', () => people.author.does('block', people.guest), () => people.author.does('unblock', people.guest)],
      ['they block the author', () => people.guest.does('block', people.author), () => people.guest.does('unblock', people.author)],
      ['they mute the author', () => people.guest.does('mute', people.author), () => people.guest.does('unmute', people.author)],
    ])('hears nothing of an edit although mentioned: %s', async (_why, part, meet) => {
      await part()
      const edit = { body: { status: `milk #${TAG} for @guest` } }
      const { pushed } = await audience.after(() => people.author.asks('PUT', `/api/v1/statuses/${said.id}`, edit))
      expect(pushed.filter(({ reader }) => reader === 'guest')).toEqual([])
      expect(pushed.filter(({ event }) => event === 'status.update').length).toBeGreaterThan(5)
      await meet()
    })
  })
})
