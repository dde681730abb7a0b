import { announcementOperator, announces, reacts } from '@rookery/test-world/announcing'
import { innerCall } from '@rookery/test-world/calls'
import { openPageServer } from '@rookery/test-world/page-server'
import { HOUR, schedules, uploads } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Audience, type Json, openAudience, type Readers, tableOf } from './live-audience.ts'
import { TAG } from './live-ears.ts'
import { expectNowhereElse, expectPagesAlike } from './live-pages.ts'
import {
  atHome,
  EVERYONE,
  FOLLOWERS,
  inPublic,
  joined,
  notified,
  onList,
  onStreams,
  TAG_FOLLOWERS,
  tagged,
  withMedia,
} from './live-tables.ts'

// The live events of operations other than those on statuses (beyond-the-spec 1.7): most only lead to notifications.

let audience: Audience
let people: Readers
let pages: Awaited<ReturnType<typeof openPageServer>>
beforeAll(async () => {
  pages = await openPageServer()
  audience = await openAudience({ filter: 'tea', mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port })
  people = audience.people
})
afterAll(async () => {
  await audience?.close()
  await pages.close()
})

/** Runs an act, which must succeed, and returns the live messages. */
const pushed = async (act: () => Promise<{ status: number } | object>) => {
  const all = await audience.after(async () => {
    const answer = await act()
    if ('status' in answer) expect(answer.status).toBe(200)
  })
  return all.pushed
}
const edit = (body: object, path: string) => people.author.asks('PUT', path, { body })

describe('a relation', () => {
  const homeOf = async (reader: 'follower' | 'owner'): Promise<string[]> =>
    (await people[reader].home('?limit=40')).filter(({ account }: Json) => account.id === people.author.id).map(({ id }: Json) => id)

  test.each([
    ['follower', 'block', 'unblock'],
    ['follower', 'mute', 'unmute'],
    ['owner', 'block', 'unblock'],
    ['owner', 'mute', 'unmute'],
  ] as const)('the %s’s %s takes back what their home and lists had, from them alone', async (reader, act, undo) => {
    const said = await people.author.says(`tea #${TAG}`)
    await audience.world.idle()
    const before = await homeOf(reader)
    expect(before).toContain(said.id)
    const news = await pushed(() => people[reader].does(act, people.author))
    const streams = ['list', 'user']
    const heard = new Set(news.map(({ event, stream, reader: who }) => `${event} ${stream} ${who}`))
    expect(heard).toEqual(new Set(streams.map((stream) => `delete ${stream} ${reader}`)))
    for (const stream of streams) {
      const gone = news.filter((each) => each.stream === stream).map(({ payload }) => payload)
      expect(gone.toSorted()).toEqual(before.toSorted())
    }
    expect(await homeOf(reader)).toEqual([])
    expect((await people[reader].get(`/api/v1/timelines/list/${audience.lists[reader]}`)).text).not.toContain(said.id)
    await people[reader].does(undo, people.author)
    await people[reader].follows(people.author)
    if (reader === 'owner') await people.owner.post(`/api/v1/lists/${audience.lists.owner}/accounts`, { account_ids: [people.author.id] })
  })

  test('a follow is a notification, and its end nothing', async () => {
    const news = await pushed(() => people.guest.follows(people.author))
    expect(tableOf(news)).toEqual(notified(['author']))
    await expectPagesAlike(audience, news)
    expect(await pushed(() => people.guest.does('unfollow', people.author))).toEqual([])
  })
})

describe('an act on a status', () => {
  let said: Json
  beforeAll(async () => {
    said = await people.author.says(`tea #${TAG}`, { poll: { options: ['green', 'black'], expires_in: 600 } })
  })

  test('a favourite is a notification, and taking it back nothing', async () => {
    const news = await pushed(() => people.stranger.reacts('favourite', said))
    expect(tableOf(news)).toEqual(notified(['author']))
    await expectPagesAlike(audience, news)
    expect(await pushed(() => people.stranger.reacts('unfavourite', said))).toEqual([])
  })

  test.each([
    ['public', true],
    ['private', false],
  ])('an edit of a %s status that takes its tag away is on the streams of the tag once more: %s', async (visibility, isThere) => {
    const { id } = await people.author.says(`tea #${TAG}`, { visibility })
    await audience.world.idle()
    const heardOn = async (status: string) =>
      tableOf((await pushed(() => edit({ status }, `/api/v1/statuses/${id}`))).filter(({ stream }) => stream.startsWith('hashtag')))
    expect(await heardOn('tea')).toEqual(isThere ? tagged('status.update') : {})
    expect(await heardOn('more tea')).toEqual({})
  })

  test('an edit that takes the picture away is on the streams with media once more', async () => {
    const { id } = await people.author.says('tea in a cup', { media_ids: [await uploads(people.author)] })
    await audience.world.idle()
    const heardOn = async (status: string) =>
      tableOf((await pushed(() => edit({ status }, `/api/v1/statuses/${id}`))).filter(({ stream }) => stream.endsWith(':media')))
    expect(await heardOn('tea')).toEqual(withMedia('status.update'))
    expect(await heardOn('more tea')).toEqual({})
  })

  test.each(['bookmark', 'unbookmark', 'mute', 'unmute'])('to %s tells no one', async (act) => {
    expect(await pushed(() => people.follower.reacts(act, said))).toEqual([])
  })

  test.each(['pin', 'unpin'])('to %s tells no one', async (act) => {
    expect(await pushed(() => people.author.reacts(act, said))).toEqual([])
  })

  test('a vote tells no one', async () => {
    expect(await pushed(() => people.friend.post(`/api/v1/polls/${said.poll.id}/votes`, { choices: [1] }))).toEqual([])
  })

  test('the end of its poll tells author and voters', async () => {
    const news = await pushed(async () => {
      await audience.world.advance(601_000)
      return {}
    })
    expect(tableOf(news)).toEqual(notified(['author', 'friend']))
    await expectPagesAlike(audience, news)
  })

  test('describing its picture elsewhere tells no one', async () => {
    const media = await uploads(people.author)
    await people.author.says('tea in a cup', { media_ids: [media] })
    expect(await pushed(() => edit({ description: 'a cup' }, `/api/v1/media/${media}`))).toEqual([])
  })

  test('a card that comes late tells no one', async () => {
    pages.page('/leaves', '<html><head><meta property="og:title" content="Leaves"></head></html>')
    const linked = await people.author.says(`tea ${pages.at('/leaves')}`)
    await audience.world.idle()
    const news = await pushed(async () => {
      await audience.world.rookery.runJobs()
      return {}
    })
    expect(news).toEqual([])
    expect((await people.follower.get(`/api/v1/statuses/${linked.id}`)).body.card).toMatchObject({ title: 'Leaves' })
  })
})

test('a profile that changes tells no one', async () => {
  const change = { body: { display_name: 'Author' } }
  expect(await pushed(() => people.author.asks('PATCH', '/api/v1/accounts/update_credentials', change))).toEqual([])
})

test('a scheduled status is pushed when its time comes, like any post', async () => {
  const { world } = audience
  expect(await pushed(() => schedules(world, people.author, `tea #${TAG}`))).toEqual([])
  const news = await pushed(async () => {
    await world.advance(HOUR)
    return {}
  })
  expect(tableOf(news)).toEqual(joined(atHome('update', TAG_FOLLOWERS), onList('update'), inPublic('update'), tagged('update')))
  await expectPagesAlike(audience, news)
  await expectNowhereElse(audience, JSON.parse(news[0]!.payload!).id, news, () => true)
})

test('a change of filters is pushed to their owner alone, without a payload', async () => {
  const filters = '/api/v2/filters'
  const changed = onStreams(['user'], 'filters_changed', ['stranger'])
  let id = ''
  const created = await pushed(async () => {
    const answer = await people.stranger.post(filters, { title: 'more', context: ['home'] })
    id = answer.body.id
    return answer
  })
  const updated = await pushed(() => people.stranger.asks('PUT', `${filters}/${id}`, { body: { title: 'less' } }))
  const deleted = await pushed(() => people.stranger.asks('DELETE', `${filters}/${id}`))
  for (const news of [created, updated, deleted]) {
    expect(tableOf(news)).toEqual(changed)
    expect(news.map(({ payload }) => payload)).toEqual([undefined])
  }
})

test('an announcement, a reaction to it and its end are pushed to every user stream', async () => {
  const { world } = audience
  let id = ''
  const published = await pushed(async () => {
    id = (await announces(world, 'tea')).id
    return {}
  })
  expect(tableOf(published)).toEqual(atHome('announcement', EVERYONE))
  const reacted = await pushed(() => reacts(people.guest, id, '🎉'))
  expect(tableOf(reacted)).toEqual(atHome('announcement.reaction', EVERYONE))
  const ended = await pushed(async () => {
    await announcementOperator(world).withdraw(innerCall(), { id })
    return {}
  })
  expect(tableOf(ended)).toEqual(atHome('announcement.delete', EVERYONE))
  expect(new Set(ended.map(({ payload }) => payload))).toEqual(new Set([id]))
})

test('a conversation marked read and unread is pushed to its owner alone', async () => {
  await people.author.says('@guest tea?', { visibility: 'direct' })
  await audience.world.idle()
  const page: Json[] = (await people.guest.get('/api/v1/conversations')).body
  const { id } = page.find(({ last_status: last }) => last.account.id === people.author.id)
  const only = onStreams(['direct'], 'conversation', ['guest'])
  for (const [act, unread] of [
    ['read', false],
    ['unread', true],
  ] as const) {
    const news = await pushed(() => people.guest.post(`/api/v1/conversations/${id}/${act}`))
    expect([act, tableOf(news)]).toEqual([act, only])
    expect(JSON.parse(news[0]!.payload!)).toMatchObject({ id, unread })
    await expectPagesAlike(audience, news)
  }
})

test('a deleted boost of someone else leaves the original to all who had it', async () => {
  const original = await people.stranger.says(`tea #${TAG}`)
  const boost = await people.author.reacts('reblog', original)
  await audience.world.idle()
  const news = await pushed(() => people.author.asks('DELETE', `/api/v1/statuses/${boost.id}`))
  expect(tableOf(news)).toEqual(joined(atHome('delete', FOLLOWERS), onList('delete')))
  expect((await people.tagger.home()).map(({ id }: Json) => id)).toContain(original.id)
})
