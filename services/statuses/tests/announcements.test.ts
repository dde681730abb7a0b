import { Publication } from '@rookery/contracts/statuses'
import { type Answer, type Frame, type Listener, type Person, World } from '@rookery/test-world'
import {
  ANNOUNCEMENTS,
  announced,
  announcement,
  announcementOperator,
  announces,
  importsEmoji,
  reacts,
  removesEmoji,
  takesBack,
} from '@rookery/test-world/announcing'
import { innerCall } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const HOUR = 3_600_000
const EMOJIS = ['👍', '🎉', '🐦', '☕', '🌧️', '🔥', '👀', '🍵', '🚀', '🏳️‍🌈']

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())
afterEach(async () => {
  for (const { id } of (await operator().list(innerCall(), {})).announcements) await operator().delete(innerCall(), { id })
})

const operator = () => announcementOperator(world)
const gist = ({ status, body }: Answer) => [status, body.error ?? body]
const ahead = (milliseconds: number) => world.clock.now() + milliseconds
const timestamp = (milliseconds: number) => new Date(milliseconds).toISOString()
const idsFor = async (person: Person, text = '') => (await announced(person, text)).map(({ id }) => id)
const dismisses = (person: Person, id: string) => person.post(`${ANNOUNCEMENTS}/${id}/dismiss`)
const reactionsTo = async (person: Person, id: string) => (await announcement(person, id)).reactions
const NOT_FOUND = [404, 'Record not found']

describe('an announcement', () => {
  test('is shown to everyone with all the contract names', async () => {
    const said = await joel.says('come by', { visibility: 'unlisted' })
    const emoji = await importsEmoji(world, 'blob_tea')
    const text = `Tea at five :blob_tea:\n\n@mara @nobody #Tea ${world.origin}/@joel/${said.id} ${world.origin}/@joel`
    const [startsAtMilliseconds, endsAtMilliseconds] = [ahead(-HOUR), ahead(HOUR)]
    const record = await announces(world, text, { startsAtMilliseconds, endsAtMilliseconds, allDay: true })
    const { id } = record
    const [shown] = await announced(joel)
    expect(shown).toEqual({
      id,
      content: expect.stringMatching(/^<p>Tea at five :blob_tea:<\/p><p><span class="h-card"/),
      starts_at: timestamp(startsAtMilliseconds),
      ends_at: timestamp(endsAtMilliseconds),
      all_day: true,
      published_at: timestamp(record.publishedAtMilliseconds!),
      updated_at: timestamp(record.updatedAtMilliseconds),
      read: false,
      mentions: [{ id: mara.id, username: 'mara', url: `${world.origin}/@mara`, acct: 'mara' }],
      statuses: [{ id: said.id, url: `${world.origin}/@joel/${said.id}` }],
      tags: [{ name: 'tea', url: `${world.origin}/tags/tea` }],
      emojis: [{ shortcode: 'blob_tea', url: emoji.url, static_url: emoji.staticUrl, visible_in_picker: true }],
      reactions: [],
    })
    expect(shown.content).toContain(`href="${world.origin}/tags/Tea"`)
  })

  test('shows no status that not everyone may see, or that is gone', async () => {
    const [hidden, gone] = [await joel.says('psst', { visibility: 'private' }), await joel.says('going')]
    const { id } = await announces(world, [hidden, gone].map((each) => `${world.origin}/@joel/${each.id}`).join(' '))
    expect((await announcement(mara, id)).statuses).toEqual([{ id: gone.id, url: `${world.origin}/@joel/${gone.id}` }])
    await joel.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    expect((await announcement(joel, id)).statuses).toEqual([])
  })

  test('needs a text, and an end that is ahead and after its start', async () => {
    await expect(announces(world, ' ')).rejects.toThrow("Validation failed: Text can't be blank")
    await expect(announces(world, 'tea', { endsAtMilliseconds: ahead(-1) })).rejects.toThrow('Ends at must be in the future')
    const later = ahead(HOUR)
    const backwards = { startsAtMilliseconds: later, endsAtMilliseconds: later }
    await expect(announces(world, 'tea', backwards)).rejects.toThrow('Ends at must be after starts at')
  })

  test('comes before those that start later; a list is one statement however many it shows', async () => {
    const first = await announces(world, 'first')
    await announced(mara)
    const alone = world.lastRequest
    await world.advance(1000)
    const second = await announces(world, 'second')
    const early = await announces(world, 'early', { startsAtMilliseconds: ahead(-HOUR) })
    for (const emoji of EMOJIS.slice(0, 8)) await reacts(mara, second.id, emoji)
    expect(await idsFor(mara)).toEqual([early.id, first.id, second.id])
    expect(world.lastRequest).toMatchObject({ statements: alone.statements, hops: alone.hops })
    expect(alone).toMatchObject({ hops: 2 })
  })

  test('of many is left out but for the latest hundred', async () => {
    for (let index = 0; index < 101; index++) await announces(world, `number ${index}`)
    const shown = await announced(mara)
    expect(shown.map(({ content }) => content)).toEqual(Array.from({ length: 100 }, (_, index) => `<p>number ${index + 1}</p>`))
  })
})

describe('who dismisses an announcement', () => {
  test('is shown it no more unless they ask, and others still are', async () => {
    const { id } = await announces(world, 'tea')
    expect(gist(await dismisses(mara, id))).toEqual([200, {}])
    expect(gist(await dismisses(mara, id))).toEqual([200, {}])
    expect(await announced(mara)).toEqual([])
    expect(await announced(mara, '?with_dismissed=false')).toEqual([])
    expect(await announced(mara, '?with_dismissed=true')).toMatchObject([{ id, read: true }])
    expect(await announced(joel)).toMatchObject([{ id, read: false }])
  })

  test('finds neither one that is not there nor one that is not shown', async () => {
    const { id } = await announces(world, 'tea', { publication: Publication.LATER })
    for (const each of [id, '987654321', 'tea']) {
      expect(gist(await dismisses(mara, each))).toEqual(NOT_FOUND)
      expect(gist(await reacts(mara, each, '👍'))).toEqual(NOT_FOUND)
      expect(gist(await reacts(mara, each, 'tea'))).toEqual(NOT_FOUND)
      expect(gist(await takesBack(mara, each, '👍'))).toEqual(NOT_FOUND)
    }
  })
})

describe('a reaction', () => {
  test('is counted, once for each person and emoji, in the order of the first ones', async () => {
    const { id } = await announces(world, 'tea')
    for (const [person, emoji] of [
      [mara, '🎉'],
      [mara, '👍'],
      [joel, '👍'],
      [joel, '👍'],
    ] as const) {
      expect(gist(await reacts(person, id, emoji))).toEqual([200, {}])
    }
    expect(await reactionsTo(mara, id)).toEqual([
      { name: '🎉', count: 1, me: true },
      { name: '👍', count: 2, me: true },
    ])
    expect(await reactionsTo(joel, id)).toEqual([
      { name: '🎉', count: 1, me: false },
      { name: '👍', count: 2, me: true },
    ])
    expect(gist(await takesBack(mara, id, '🎉'))).toEqual([200, {}])
    expect(gist(await takesBack(mara, id, '👍'))).toEqual([200, {}])
    expect(await reactionsTo(mara, id)).toEqual([{ name: '👍', count: 1, me: false }])
    expect(gist(await takesBack(mara, id, '👍'))).toEqual(NOT_FOUND)
    expect(await reactionsTo(joel, id)).toEqual([{ name: '👍', count: 1, me: true }])
  })

  test.each(['👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '1️⃣', '❤️', '🏳️‍🌈'])('may be %s', async (emoji) => {
    const { id } = await announces(world, 'tea')
    expect(gist(await reacts(mara, id, emoji))).toEqual([200, {}])
    expect(await reactionsTo(mara, id)).toEqual([{ name: emoji, count: 1, me: true }])
    expect(gist(await takesBack(mara, id, emoji))).toEqual([200, {}])
  })

  test('without the variation selector is the same emoji', async () => {
    const { id } = await announces(world, 'tea')
    await reacts(mara, id, '❤')
    await reacts(joel, id, '❤️')
    expect(await reactionsTo(mara, id)).toEqual([{ name: '❤️', count: 2, me: true }])
    expect(gist(await takesBack(joel, id, '❤'))).toEqual([200, {}])
  })

  test.each(['a', '1', 'no_emoji', '👍👍', '👍 ', ':+1:', '🇩', '<b>', "'"])('may not be %j', async (name) => {
    const { id } = await announces(world, 'tea')
    const refused = [422, 'Validation failed: Name is not a recognized emoji']
    expect(gist(await reacts(mara, id, name))).toEqual(refused)
    expect(gist(await takesBack(mara, id, name))).toEqual(refused)
    expect(await reactionsTo(mara, id)).toEqual([])
  })

  test('may be a custom emoji, and is taken back when the server has it no more', async () => {
    const { url, staticUrl } = await importsEmoji(world, 'blob')
    const { id } = await announces(world, 'tea')
    for (const person of [mara, joel]) expect(gist(await reacts(person, id, 'blob'))).toEqual([200, {}])
    const reaction = { name: 'blob', count: 2, me: true, url, static_url: staticUrl }
    expect(await reactionsTo(mara, id)).toEqual([reaction])
    expect(gist(await reacts(mara, id, 'BLOB'))[0]).toBe(422)
    await removesEmoji(world, 'blob')
    expect(await reactionsTo(mara, id)).toEqual([reaction])
    expect(gist(await takesBack(mara, id, 'blob'))).toEqual([200, {}])
    expect(gist(await reacts(mara, id, 'blob'))[0]).toBe(422)
    expect(await reactionsTo(joel, id)).toEqual([{ ...reaction, count: 1 }])
  })

  test('finds room with eight others at most, and always beside its like', async () => {
    const { id } = await announces(world, 'tea')
    const eight = EMOJIS.slice(0, 8)
    for (const emoji of eight) expect(gist(await reacts(mara, id, emoji))[0]).toBe(200)
    expect(gist(await reacts(joel, id, EMOJIS[8]!))).toEqual([422, 'Validation failed: Limit of different reactions reached'])
    expect(gist(await reacts(joel, id, eight[0]!))[0]).toBe(200)
    await takesBack(mara, id, eight[7]!)
    expect(gist(await reacts(joel, id, EMOJIS[8]!))[0]).toBe(200)
    expect((await reactionsTo(joel, id)).map(({ name }: { name: string }) => name)).toEqual([...eight.slice(0, 7), EMOJIS[8]])
  })
})

describe('many react at once:', () => {
  let people: Person[]
  beforeAll(async () => {
    people = await Promise.all(Array.from({ length: 50 }, (_, index) => world.person(`many${index}`)))
  })

  test('fifty with one emoji are fifty, and none once all took it back', async () => {
    const { id } = await announces(world, 'tea')
    const all = (act: typeof reacts) => Promise.all(people.map((person) => act(person, id, '🎉')))
    expect((await all(reacts)).map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await reactionsTo(people[0]!, id)).toEqual([{ name: '🎉', count: 50, me: true }])
    expect((await all(takesBack)).map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await reactionsTo(people[0]!, id)).toEqual([])
  })

  test('one person again and again is one', async () => {
    const { id } = await announces(world, 'tea')
    const answers = await Promise.all(Array.from({ length: 10 }, () => reacts(mara, id, '🎉')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await reactionsTo(mara, id)).toEqual([{ name: '🎉', count: 1, me: true }])
  })

  test('an eighth and a ninth emoji are never both let in', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await announces(world, 'tea')
      for (const emoji of EMOJIS.slice(0, 7)) await reacts(mara, id, emoji)
      const answers = await Promise.all([reacts(people[0]!, id, EMOJIS[8]!), reacts(people[1]!, id, EMOJIS[9]!)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
      expect(await reactionsTo(mara, id)).toHaveLength(8)
    }
  })

  test('counts are those of the reactions that are there, whatever they did', async () => {
    const { id } = await announces(world, 'tea')
    const acts = people.flatMap((person, index) => {
      const emojis = EMOJIS.filter((_, place) => (index + place) % 3 === 0)
      return emojis.flatMap((emoji) => [
        () => reacts(person, id, emoji),
        () => takesBack(person, id, emoji),
        () => reacts(person, id, emoji),
      ])
    })
    await Promise.all(acts.map((act) => act()))
    const shown = await reactionsTo(mara, id)
    const rows = await query(
      world,
      'select name, count(*)::int count from statuses.announcement_reaction where announcement_id = $1 group by name',
      [id],
    )
    const byName = (list: { name: string; count: number }[]) => Object.fromEntries(list.map(({ name, count }) => [name, count]))
    expect(byName(shown)).toEqual(byName(rows))
    expect(shown.length).toBeLessThanOrEqual(8)
  })
})

describe('an announcement of another time', () => {
  test('is shown from its start to its end', async () => {
    const { id, state } = await announces(world, 'later', { startsAtMilliseconds: ahead(HOUR), endsAtMilliseconds: ahead(3 * HOUR) })
    expect(state).toBe('scheduled')
    expect(await announced(mara)).toEqual([])
    await world.advance(HOUR - 1000)
    expect(await announced(mara)).toEqual([])
    await world.advance(1000)
    const [shown] = await announced(mara)
    expect(shown.id).toBe(id)
    expect(Date.parse(shown.published_at)).toBeGreaterThanOrEqual(Date.parse(shown.starts_at))
    await reacts(mara, id, '👍')
    await world.advance(2 * HOUR)
    expect(await announced(mara)).toEqual([])
    expect(gist(await reacts(mara, id, '👍'))).toEqual(NOT_FOUND)
    expect((await operator().list(innerCall(), {})).announcements).toMatchObject([{ id, state: 'ended' }])
  })

  test('is not shown past its end though the job that withdraws it has not run', async () => {
    const { id } = await announces(world, 'late', { endsAtMilliseconds: ahead(HOUR) })
    await query(world, 'update statuses.announcement set ends_at = $2 where id = $1', [id, new Date(ahead(-1))])
    expect(await announced(mara)).toEqual([])
    expect(gist(await dismisses(mara, id))).toEqual(NOT_FOUND)
  })

  test('may be published before it starts, and is withdrawn off the schedule', async () => {
    const early = await announces(world, 'early', { startsAtMilliseconds: ahead(HOUR), publication: Publication.AT_ONCE })
    const waiting = await announces(world, 'waiting', { startsAtMilliseconds: ahead(HOUR) })
    const other = await announces(world, 'other', { startsAtMilliseconds: ahead(HOUR) })
    expect(await idsFor(mara)).toEqual([early.id])
    expect(await operator().publish(innerCall(), { id: waiting.id })).toMatchObject({ state: 'published' })
    expect(await operator().withdraw(innerCall(), { id: other.id })).toMatchObject({ state: 'unpublished' })
    await world.advance(2 * HOUR)
    expect(await idsFor(mara)).toEqual([early.id, waiting.id])
  })

  test('moves with its start, and comes at once when that is taken away', async () => {
    const options = { startsAtMilliseconds: ahead(HOUR) }
    const [moved, freed] = [await announces(world, 'moved', options), await announces(world, 'freed', options)]
    await operator().change(innerCall(), { id: moved.id, startsAt: { atMilliseconds: ahead(2 * HOUR) } })
    await operator().change(innerCall(), { id: freed.id, startsAt: {} })
    expect(await idsFor(mara)).toEqual([freed.id])
    await world.advance(HOUR)
    expect(await idsFor(mara)).toEqual([freed.id])
    await world.advance(HOUR)
    expect((await idsFor(mara)).toSorted()).toEqual([moved.id, freed.id].toSorted())
  })

  test('is shown again by a later end, and published no more once it ended', async () => {
    const { id } = await announces(world, 'tea', { endsAtMilliseconds: ahead(HOUR) })
    await world.advance(HOUR)
    await expect(operator().publish(innerCall(), { id })).rejects.toThrow('Validation failed: Ends at must be in the future')
    await operator().change(innerCall(), { id, text: 'coffee' })
    expect(await announced(mara)).toEqual([])
    await operator().change(innerCall(), { id, endsAt: { atMilliseconds: ahead(HOUR) } })
    expect(await announced(mara)).toMatchObject([{ id, content: '<p>coffee</p>' }])
  })
})

describe('the operator', () => {
  test('changes what an announcement says, and its reactions and readers stay', async () => {
    const { id } = await announces(world, 'tea @joel')
    await reacts(mara, id, '👍')
    await dismisses(mara, id)
    const before = await announcement(mara, id)
    await world.advance(1000)
    const changed = await operator().change(innerCall(), { id, text: 'coffee #tea', allDay: true })
    expect(changed).toMatchObject({ text: 'coffee #tea', state: 'published' })
    const after = await announcement(mara, id)
    expect(after).toMatchObject({ mentions: [], tags: [{ name: 'tea' }], all_day: true, read: true, reactions: before.reactions })
    expect(after.published_at).toBe(before.published_at)
    expect(after.updated_at).toBe(timestamp(changed.updatedAtMilliseconds))
    expect(after.updated_at > before.updated_at).toBe(true)
    await expect(operator().change(innerCall(), { id, text: '' })).rejects.toThrow("Text can't be blank")
    expect(await announcement(mara, id)).toEqual(after)
  })

  test('withdraws and publishes it, and deletes it for good', async () => {
    const { id } = await announces(world, 'tea')
    await reacts(mara, id, '👍')
    for (let round = 0; round < 2; round++) {
      expect(await operator().withdraw(innerCall(), { id })).toMatchObject({ state: 'unpublished', publishedAtMilliseconds: undefined })
      expect(await announced(mara)).toEqual([])
    }
    expect(await operator().publish(innerCall(), { id })).toMatchObject({ state: 'published' })
    expect(await announced(mara)).toMatchObject([{ id, reactions: [{ name: '👍', count: 1, me: true }] }])
    expect(await operator().delete(innerCall(), { id })).toMatchObject({ id, text: 'tea' })
    expect(await announced(mara)).toEqual([])
    for (const act of ['change', 'publish', 'withdraw', 'delete'] as const) {
      await expect(operator()[act](innerCall(), { id })).rejects.toMatchObject({ kind: 'not_found' })
      await expect(operator()[act](innerCall(), { id: 'tea' })).rejects.toMatchObject({ kind: 'not_found' })
    }
  })
})

describe('open streams', () => {
  let listeners: Listener[]
  beforeEach(() => world.idle())
  afterEach(() => Promise.all(listeners.map((listener) => listener.close())))

  const heard = (listener: Listener) =>
    listener.frames.map(({ event, payload }: Frame) => [event, event === 'announcement.delete' ? payload : JSON.parse(payload!)])

  test('of everyone hear what becomes of announcements, without what a viewer did', async () => {
    listeners = await Promise.all([mara.listens('user'), joel.listens('user'), joel.listens('public')])
    const { url, staticUrl } = await importsEmoji(world, 'blob_live')
    const { id } = await announces(world, 'tea')
    await world.idle()
    await reacts(mara, id, 'blob_live')
    await world.idle()
    await operator().change(innerCall(), { id, text: 'coffee' })
    await world.idle()
    await takesBack(mara, id, 'blob_live')
    await world.idle()
    await operator().withdraw(innerCall(), { id })
    await world.idle()
    const files = { url, static_url: staticUrl }
    await operator().publish(innerCall(), { id })
    const { read: _, ...shown } = await announcement(mara, id)
    await world.idle()
    await operator().delete(innerCall(), { id })
    await world.idle()
    const expected = [
      ['announcement', expect.objectContaining({ id, content: '<p>tea</p>', reactions: [] })],
      ['announcement.reaction', { name: 'blob_live', count: 1, ...files, announcement_id: id }],
      [
        'announcement',
        expect.objectContaining({ content: '<p>coffee</p>', reactions: [{ name: 'blob_live', count: 1, me: false, ...files }] }),
      ],
      ['announcement.reaction', { name: 'blob_live', count: 0, announcement_id: id }],
      ['announcement.delete', id],
      ['announcement', shown],
      ['announcement.delete', id],
    ]
    for (const listener of listeners.slice(0, 2)) await expect.poll(() => heard(listener)).toEqual(expected)
    expect(heard(listeners[2]!)).toEqual([])
  })

  test('hear one that starts and ends by itself, and nothing of one that was never published', async () => {
    listeners = [await mara.listens('user')]
    const { id } = await announces(world, 'later', { startsAtMilliseconds: ahead(HOUR), endsAtMilliseconds: ahead(2 * HOUR) })
    const draft = await announces(world, 'draft', { publication: Publication.LATER })
    await operator().change(innerCall(), { id: draft.id, text: 'other' })
    await operator().delete(innerCall(), { id: draft.id })
    await world.idle()
    expect(heard(listeners[0]!)).toEqual([])
    await world.advance(HOUR)
    await world.idle()
    await expect.poll(() => heard(listeners[0]!)).toEqual([['announcement', expect.objectContaining({ id })]])
    await world.advance(HOUR)
    await world.idle()
    await expect.poll(() => heard(listeners[0]!).slice(1)).toEqual([['announcement.delete', id]])
  })

  test('get one live message together, however many they are, and come to the same count of reactions', async () => {
    const crowd = await Promise.all(Array.from({ length: 30 }, (_, index) => world.person(`crowd${index}`)))
    listeners = await Promise.all(crowd.map((person) => person.listens('user')))
    let messages = 0
    const end = await world.rookery.ephemeral.live.subscribe({
      read({ isKept }) {
        if (!isKept) messages++
      },
    })
    const { id } = await announces(world, 'tea')
    await world.idle()
    expect(messages).toBe(1)
    const kept = await Promise.all(crowd.map((person) => reacts(person, id, '🎉')))
    expect(kept.map(({ status }) => status)).toEqual(Array(30).fill(200))
    await world.idle()
    end()
    expect(messages).toBeLessThanOrEqual(1 + 30)
    const counted = { name: '🎉', count: 30, announcement_id: id }
    for (const listener of listeners) await expect.poll(() => heard(listener).at(-1)).toEqual(['announcement.reaction', counted])
  })
})

test('what a removed account did is gone, and counted no more', async () => {
  const nadia = await world.person('nadia')
  const [first, second] = [await announces(world, 'tea @nadia'), await announces(world, 'coffee')]
  for (const { id } of [first, second]) for (const emoji of ['👍', '🎉']) await reacts(nadia, id, emoji)
  await reacts(mara, second.id, '🎉')
  await dismisses(nadia, first.id)
  await operator().withdraw(innerCall(), { id: second.id })
  await world.operator().deleteAccount(innerCall(), { username: 'nadia' })
  await world.advance(0)
  await operator().publish(innerCall(), { id: second.id })
  expect(await announcement(mara, first.id)).toMatchObject({ reactions: [], mentions: [] })
  expect(await reactionsTo(mara, second.id)).toEqual([{ name: '🎉', count: 1, me: true }])
  for (const table of ['announcement_dismissal', 'announcement_reaction']) {
    const rows = await query(world, `select 1 from statuses.${table} where account_id = $1`, [nadia.id])
    expect([table, rows]).toEqual([table, []])
  }
})
