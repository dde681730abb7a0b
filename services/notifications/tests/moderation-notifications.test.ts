import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Notifications about the person themselves (beyond-the-spec 1.1, 1.15): acts of staff on their accounts, and severed relationships.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let staff: Person
let people = 0
beforeAll(async () => {
  world = await World.open()
  staff = await world.owner('staff')
})
afterAll(() => world.close())

const someone = () => world.person(`someone_${++people}`)
const warns = (person: Person, body: object) => staff.post(`/api/v1/admin/accounts/${person.id}/action`, body)
const ownOf = async (person: Person): Promise<Json[]> => {
  await world.idle()
  return person.notifications('?types[]=moderation_warning&types[]=severed_relationships')
}
const movesTo = (person: Person, domain: string) =>
  query(world, 'update statuses.account set domain = $2, uri = $3, url = $3, version = version + 1 where id = $1', [
    person.id,
    domain,
    `https://${domain}/${person.username}`,
  ])

describe('an act of staff', () => {
  test('is a notification with its text, live, in lists and in groups', async () => {
    const person = await someone()
    const stream = await person.listens('user:notification')
    expect((await warns(person, { type: 'none', text: 'Be kind' })).status).toBe(200)
    const [found] = await ownOf(person)
    expect(found).toMatchObject({
      type: 'moderation_warning',
      account: { id: person.id },
      moderation_warning: { action: 'none', text: 'Be kind', status_ids: [], appeal: null, target_account: { id: person.id } },
    })
    expect(found.moderation_warning).toMatchObject({ id: expect.stringMatching(/^\d+$/), created_at: found.created_at })
    expect((await person.get(`/api/v1/notifications/${found.id}`)).body).toEqual(found)
    const frame = await stream.hears(({ event }) => event === 'notification')
    expect(JSON.parse(frame.payload!)).toEqual(found)
    await stream.close()
    const { notification_groups } = (await person.get('/api/v2/notifications')).body
    expect(notification_groups).toMatchObject([{ type: 'moderation_warning', moderation_warning: found.moderation_warning }])
    const group = (await person.get(`/api/v2/notifications/ungrouped-${found.id}`)).body
    expect(group.notification_groups[0].moderation_warning).toEqual(found.moderation_warning)
    expect((await person.get('/api/v1/notifications/unread_count')).body).toEqual({ count: 1 })
  })

  test('names the statuses of the report that it answers; each act is a notification of its own', async () => {
    const [person, reporter] = [await someone(), await someone()]
    const said = await person.says('rude')
    const report = (await reporter.post('/api/v1/reports', { account_id: person.id, status_ids: [said.id] })).body
    await warns(person, { type: 'sensitive', report_id: report.id })
    await warns(person, { type: 'none', text: 'again' })
    expect((await ownOf(person)).map(({ moderation_warning: { action, status_ids } }) => [action, status_ids])).toEqual([
      ['none', []],
      ['sensitive', [said.id]],
    ])
  })

  test('without a message notifies no one', async () => {
    const person = await someone()
    await warns(person, { type: 'silence', send_email_notification: false })
    expect(await ownOf(person)).toEqual([])
  })

  test('can be dismissed', async () => {
    const person = await someone()
    await warns(person, { type: 'none', text: 'x' })
    const [found] = await ownOf(person)
    expect((await person.post(`/api/v1/notifications/${found.id}/dismiss`)).status).toBe(200)
    expect(await ownOf(person)).toEqual([])
  })
})

describe('follows that end', () => {
  test('because a person blocks a domain are counted by direction, once', async () => {
    const [person, followed, follower, both, other] = [await someone(), await someone(), await someone(), await someone(), await someone()]
    await person.follows(followed)
    await person.follows(both)
    await person.follows(other)
    await follower.follows(person)
    await both.follows(person)
    await world.idle()
    for (const each of [followed, follower, both]) await movesTo(each, 'birds.example')
    await movesTo(other, 'fish.example')
    const preview = await person.get('/api/v1/domain_blocks/preview?domain=birds.example')
    expect(preview.body).toEqual({ following_count: 2, followers_count: 2 })
    for (let times = 0; times < 2; times++) await person.post('/api/v1/domain_blocks', { domain: 'birds.example' })
    const found = await ownOf(person)
    expect(found).toMatchObject([
      {
        type: 'severed_relationships',
        account: { id: person.id },
        event: { type: 'user_domain_block', target_name: 'birds.example', purged: false, following_count: 2, followers_count: 2 },
      },
    ])
    expect(found[0].event).toMatchObject({ id: expect.stringMatching(/^\d+$/), created_at: found[0].created_at })
    const own = (await person.get('/api/v1/accounts/verify_credentials')).body
    expect([own.following_count, own.followers_count]).toEqual([1, 0])
  })

  test('that no one had notify no one', async () => {
    const person = await someone()
    await person.post('/api/v1/domain_blocks', { domain: 'cats.example' })
    expect(await ownOf(person)).toEqual([])
  })

  test('with an account that staff suspended and deleted are named to those who had them', async () => {
    const [follower, doomed, leaver] = [await someone(), await someone(), await someone()]
    await follower.follows(doomed)
    await follower.follows(leaver)
    await warns(doomed, { type: 'suspend', send_email_notification: false })
    expect((await staff.asks('DELETE', `/api/v1/admin/accounts/${doomed.id}`)).status).toBe(200)
    // The statuses of an account go first, and the rest once homes are without them.
    await world.advance(0)
    expect(await ownOf(follower)).toMatchObject([
      { event: { type: 'account_suspension', target_name: doomed.username, following_count: 1, followers_count: 0 } },
    ])
  })
})
