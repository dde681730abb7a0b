import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const
const VIEWERS = ['anonymous', 'app', 'stranger', 'follower', 'mentioned', 'author', 'blocked', 'blocker'] as const
type Visibility = (typeof VISIBILITIES)[number]
type Viewer = (typeof VIEWERS)[number]

/** beyond-the-spec 1.11, as a table: who sees what. */
const sees = (viewer: Viewer, visibility: Visibility): boolean => {
  if (viewer === 'blocked') return false
  if (viewer === 'author' || viewer === 'mentioned') return true
  if (visibility === 'private') return viewer === 'follower'
  return visibility !== 'direct'
}
const hasAccount = (viewer: Viewer) => viewer !== 'anonymous' && viewer !== 'app'

const READS = ['', '/context', '/favourited_by', '/reblogged_by']
const ACTS = ['favourite', 'unfavourite', 'bookmark', 'unbookmark', 'mute', 'unmute', 'reblog', 'unreblog']
const NOT_FOUND = '404 {"error":"Record not found"}'

const expected = (act: string, viewer: Viewer, visibility: Visibility): number => {
  if (viewer === 'anonymous') return 401
  if (viewer === 'app') return 422
  if (!sees(viewer, visibility)) return 404
  if (viewer === 'blocker' && (act === 'favourite' || act === 'reblog')) return 403
  if (act !== 'reblog' || visibility === 'public' || visibility === 'unlisted') return 200
  return visibility === 'private' && viewer === 'author' ? 200 : 403
}

describe.each(VISIBILITIES)('a %s status', (visibility) => {
  let tokens: Record<Viewer, string | undefined>
  let people: Record<string, Person>
  let id: string
  beforeAll(async () => {
    const cast = await world.cast(...VIEWERS.filter(hasAccount).map((viewer) => `${viewer}_${visibility}`))
    people = Object.fromEntries(VIEWERS.filter(hasAccount).map((viewer) => [viewer, cast[`${viewer}_${visibility}`]!]))
    const { author, follower, blocked, blocker } = people as Record<Viewer, Person>
    await follower.follows(author)
    id = (await author.says(`@mentioned_${visibility} hello`, { visibility })).id
    await author.does('block', blocked)
    await blocker.does('block', author)
    const issued = await world.appToken('read write')
    expect(issued).toMatch(/./)
    tokens = {
      anonymous: undefined,
      app: issued,
      ...Object.fromEntries(Object.entries(people).map(([viewer, person]) => [viewer, person.token])),
    } as typeof tokens
  })

  test.each(VIEWERS)('as read by %s', async (viewer) => {
    for (const path of READS) {
      const answer = await world.asks('GET', `/api/v1/statuses/${id}${path}`, { token: tokens[viewer] })
      const missing = await world.asks('GET', `/api/v1/statuses/1${path}`, { token: tokens[viewer] })
      expect([path, `${missing.status} ${missing.text}`]).toEqual([path, NOT_FOUND])
      if (sees(viewer, visibility)) expect([path, answer.status]).toEqual([path, 200])
      else expect([path, `${answer.status} ${answer.text}`]).toEqual([path, NOT_FOUND])
    }
  })

  test.each(VIEWERS)('as listed for %s', async (viewer) => {
    const has = async (path: string) =>
      (await world.asks('GET', path, { token: tokens[viewer] })).body.some((each: { id: string }) => each.id === id)
    expect(await has(`/api/v1/accounts/${people['author']!.id}/statuses`)).toBe(sees(viewer, visibility))
    expect(await has('/api/v1/timelines/public?limit=40')).toBe(visibility === 'public' && viewer !== 'blocked' && viewer !== 'blocker')
  })

  test.each(VIEWERS)('as touched by %s', async (viewer) => {
    for (const act of ACTS) {
      const answer = await world.asks('POST', `/api/v1/statuses/${id}/${act}`, { token: tokens[viewer] })
      const status = expected(act, viewer, visibility)
      expect([act, answer.status]).toEqual([act, status])
      if (status === 404) expect(`${answer.status} ${answer.text}`).toBe(NOT_FOUND)
    }
    const reply = await world.asks('POST', '/api/v1/statuses', {
      token: tokens[viewer],
      body: { status: 're', visibility: 'direct', in_reply_to_id: id },
    })
    if (hasAccount(viewer)) expect(reply.status).toBe(sees(viewer, visibility) ? 200 : 404)
    else expect(reply.status).toBe(viewer === 'app' ? 422 : 401)
    if (viewer !== 'author') {
      const deleted = await world.asks('DELETE', `/api/v1/statuses/${id}`, { token: tokens[viewer] })
      expect(deleted.status).toBe(hasAccount(viewer) ? 404 : viewer === 'app' ? 422 : 401)
    }
  })

  test('is left unchanged by those who may not touch it', async () => {
    const rows = await query(world, 'select account_id::text from statuses.favourite where status_id = $1', [id])
    expect(rows).toEqual([])
    expect((await people['author']!.get(`/api/v1/statuses/${id}`)).body).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  })
})

describe('a status whose author is suspended', () => {
  const call = () => callWithin(30, 'visibility')
  let people: Record<string, Person>
  const ids = new Map<Visibility, string>()
  beforeAll(async () => {
    people = await world.cast('gone', 'suspended_follower', 'suspended_mentioned', 'suspended_stranger')
    await people['suspended_follower']!.follows(people['gone']!)
    for (const visibility of VISIBILITIES)
      ids.set(visibility, (await people['gone']!.says('@suspended_mentioned hello', { visibility })).id)
    await world.idle()
    await world.operator().setSuspended(call(), { username: 'gone', isSuspended: true })
  })

  test.each(VISIBILITIES)('is there for no one: %s', async (visibility) => {
    const id = ids.get(visibility)!
    for (const token of [
      undefined,
      ...['suspended_follower', 'suspended_mentioned', 'suspended_stranger'].map((name) => people[name]!.token),
    ]) {
      for (const path of READS) {
        const answer = await world.asks('GET', `/api/v1/statuses/${id}${path}`, { token })
        expect([path, `${answer.status} ${answer.text}`]).toEqual([path, NOT_FOUND])
      }
      if (!token) continue
      for (const act of ACTS) {
        const answer = await world.asks('POST', `/api/v1/statuses/${id}/${act}`, { token })
        expect([act, `${answer.status} ${answer.text}`]).toEqual([act, NOT_FOUND])
      }
      const reply = await world.asks('POST', '/api/v1/statuses', { token, body: { status: 're', in_reply_to_id: id } })
      expect([reply.status, reply.body.error]).toEqual([404, 'The post you are trying to reply to does not appear to exist.'])
    }
  })

  test('is on no page', async () => {
    const { gone, suspended_follower: follower, suspended_mentioned: mentioned } = people
    const pages = [
      '/api/v1/timelines/home',
      '/api/v1/timelines/public?limit=40',
      `/api/v1/accounts/${gone!.id}/statuses`,
      '/api/v1/notifications',
      '/api/v2/search?q=hello&type=statuses',
    ]
    const everybodysIds = [...ids.values()]
    for (const person of [follower!, mentioned!]) {
      for (const page of pages) {
        const { status, text } = await person.get(page)
        expect([page, status, everybodysIds.filter((id) => text.includes(id))]).toEqual([page, 200, []])
      }
    }
  })
})
