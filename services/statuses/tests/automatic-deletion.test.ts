import { type Person, World } from '@rookery/test-world'
import { signIn } from '@rookery/test-world/page-browser'
import { query, runJob, saidLongAgo } from '@rookery/test-world/queries'
import { multipart, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// People can have their old posts deleted (/settings/old_posts).

const DAY = 86_400_000
const PAGE = '/settings/old_posts'

let world: World
let people = 0
let mara: Person
let joel: Person

beforeAll(async () => {
  world = await World.open()
  joel = await world.person('joel')
})
afterAll(() => world.close())
beforeEach(async () => {
  mara = await world.person(`mara${++people}`)
})

const PIXEL = {
  name: 'file',
  value: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  file: 'pixel.png',
  type: 'image/png',
}

/** Saves the form as this person does: nothing is kept unless it is named. */
const saves = async (policy: Record<string, string>, person = mara) => {
  const visitor = await signIn(world, person)
  return visitor.submit(
    await visitor.go(PAGE),
    { is_on: 'true', days: '30', min_favourites: '', min_boosts: '', ...policy },
    'value="change"',
  )
}
const runs = async (rounds = 1) => {
  for (let round = 0; round < rounds; round++) await runJob(world, 'delete-old-statuses')
}
const takesEffect = () => world.advance(DAY + 60_000)
const isThere = async ({ id }: { id: string }) =>
  (await query(world, 'select id from statuses.status_head where id = $1', [id])).length === 1
/** Lets what was posted grow old. */
const ages = () => world.advance(40 * DAY)

describe('old posts', () => {
  test('are kept by those who did not choose otherwise', async () => {
    const said = await mara.says('to stay')
    await ages()
    await runs()
    expect(await isThere(said)).toBe(true)
    const page = await (await signIn(world, mara)).go(PAGE)
    expect(page.text).toContain('Delete my old posts')
    expect(page.text).not.toMatch(/name="is_on"[^>]*checked/)
  })

  test('are deleted a day after that was chosen, with boosts; new ones and those of others stay', async () => {
    const [said, others] = [await mara.says('to go'), await joel.says('of another')]
    const boost = await mara.reacts('reblog', others)
    await ages()
    const young = await mara.says('young')
    expect((await saves({})).text).toContain('Saved.')
    await world.advance(DAY - 60_000)
    await runs()
    expect(await isThere(said)).toBe(true)
    await takesEffect()
    await runs()
    expect([await isThere(said), await isThere(boost), await isThere(young), await isThere(others)]).toEqual([false, false, true, true])
    expect((await mara.get(`/api/v1/accounts/${mara.id}`)).body.statuses_count).toBe(1)
  })

  test('stay if that is taken back within the day', async () => {
    const said = await mara.says('reprieved')
    await ages()
    await saves({})
    await saves({ is_on: 'false' })
    await takesEffect()
    await runs()
    expect(await isThere(said)).toBe(true)
  })

  const KEPT: Record<string, { policy: Record<string, string>; post: () => Promise<{ id: string }> }> = {
    'direct messages': { policy: { keep_direct: 'true' }, post: () => mara.says(`@${joel.username} hello`, { visibility: 'direct' }) },
    'pinned posts': {
      policy: { keep_pinned: 'true' },
      post: async () => {
        const said = await mara.says('pinned')
        return mara.reacts('pin', said)
      },
    },
    polls: { policy: { keep_polls: 'true' }, post: () => mara.says('poll', { poll: { options: ['a', 'b'], expires_in: 3600 } }) },
    'posts with media': {
      policy: { keep_media: 'true' },
      post: async () => {
        const picture = await send(world.origin, { method: 'POST', path: '/api/v2/media', token: mara.token, ...multipart([PIXEL]) })
        return mara.says('picture', { media_ids: [picture.body.id] })
      },
    },
    'posts that one favourited': {
      policy: { keep_favourited: 'true' },
      post: async () => mara.reacts('favourite', await mara.says('fine')),
    },
    'posts that one bookmarked': {
      policy: { keep_bookmarked: 'true' },
      post: async () => mara.reacts('bookmark', await mara.says('marked')),
    },
    'posts with as many favourites': {
      policy: { min_favourites: '1' },
      post: async () => {
        const said = await mara.says('liked')
        await joel.reacts('favourite', said)
        return said
      },
    },
    'posts with as many boosts': {
      policy: { min_boosts: '1' },
      post: async () => {
        const said = await mara.says('shared')
        await joel.reacts('reblog', said)
        return said
      },
    },
  }

  test.each(Object.entries(KEPT))('that are %s stay if that is chosen, and go if not', async (_what, { policy, post }) => {
    const [said, control] = [await post(), await mara.says('a control')]
    await world.idle()
    await ages()
    await saves(policy)
    await takesEffect()
    await runs()
    expect([await isThere(said), await isThere(control)]).toEqual([true, false])
    await saves({})
    await takesEffect()
    await runs()
    expect(await isThere(said)).toBe(false)
  })

  test('are deleted later if what kept them ends', async () => {
    const said = await mara.says('once fine')
    await mara.reacts('favourite', said)
    await ages()
    await saves({ keep_favourited: 'true' })
    await takesEffect()
    await runs()
    await mara.reacts('unfavourite', said)
    await runs()
    expect(await isThere(said)).toBe(true)
    await world.advance(3_600_000 + 60_000)
    await runs()
    expect(await isThere(said)).toBe(false)
  })

  test('go bit by bit: fifty in a run', async () => {
    await saidLongAgo(world, mara, 120)
    const left = async () =>
      (await query(world, 'select count(*)::int count from statuses.status_head where author_id = $1', [mara.id]))[0].count
    await saves({})
    await takesEffect()
    const seen = []
    for (let round = 0; round < 3; round++) {
      await runs()
      seen.push(await left())
    }
    expect(seen).toEqual([70, 20, 0])
  })

  test('of suspended accounts stay, for those who decide about an appeal', async () => {
    const said = await mara.says('disputed')
    await ages()
    await saves({})
    const owner = await world.owner(`owner${people}`)
    await owner.post(`/api/v1/admin/accounts/${mara.id}/action`, { type: 'suspend' })
    await world.idle()
    await takesEffect()
    await runs()
    expect(await isThere(said)).toBe(true)
  })
})

describe('the form', () => {
  test('shows what was chosen', async () => {
    await saves({ days: '90', keep_polls: 'true', min_boosts: '7' })
    const { text } = await (await signIn(world, mara)).go(PAGE)
    expect(text).toMatch(/<option selected value="90">3 months/)
    expect(text).toMatch(/name="min_boosts"[^>]*value="7"|value="7"[^>]*name="min_boosts"/)
  })

  test.each([
    ['an age that is not offered', { days: '3' }, 'Please choose something from the list.'],
    ['fewer than one favourite', { min_favourites: '0' }, 'This is not valid.'],
    ['a number of favourites that is none', { min_favourites: 'many' }, 'This is not valid.'],
    ['half a boost', { min_boosts: '1.5' }, 'This is not valid.'],
    ['a negative number of boosts', { min_boosts: '-1' }, 'This is not valid.'],
  ])('refuses %s', async (_what, policy, words) => {
    const page = await saves(policy)
    expect(page.status).toBe(422)
    expect(page.text).toContain(words)
  })

  test.each([
    ['de', 'Alte Beiträge'],
    ['fr', 'Anciens messages'],
  ])('speaks %s', async (lang, title) => {
    expect((await (await signIn(world, mara)).go(`${PAGE}?lang=${lang}`)).text).toContain(`<h1>${title}`)
  })

  test('is not for those who are not signed in', async () => {
    expect((await world.get(PAGE)).status).not.toBe(200)
  })
})

test('deleting an account deletes its choice', async () => {
  await saves({})
  const visitor = await signIn(world, mara)
  await visitor.submit(await visitor.visit('/auth/account/delete'), { current_password: `${mara.username}-password` })
  await world.advance(60_000)
  await world.advance(300_000)
  expect(await query(world, 'select * from statuses.deletion_policy where account_id = $1', [mara.id])).toEqual([])
})
