import { callWithin } from '@rookery/rpc/call-within'
import { ask, type Person, World } from '@rookery/test-world'
import { withColdServer } from '@rookery/test-world/cold-server'
import { deadlocksOf, holding, idsOf, query, runJob, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const HOUR = 3_600_000
/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const uploads = async (person: Person): Promise<string> => {
  const form = new FormData()
  form.set('file', new File([PICTURE], 'dot.png', { type: 'image/png' }))
  return (await person.asks('POST', '/api/v2/media', { body: form })).body.id
}

const accountOf = async ({ id }: { id: string }) => (await world.get(`/api/v1/accounts/${id}`)).body
const blank = "Validation failed: Text can't be blank"
const tooLong = 'Validation failed: Text character limit of 500 exceeded'

describe('publishing', () => {
  test.each(['public', 'unlisted', 'private', 'direct'])('answers with the %s status as it will be read', async (visibility) => {
    const said = await mara.says(`to some: ${visibility}`, { visibility })
    expect(said).toEqual({
      id: expect.stringMatching(/^\d+$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      sensitive: false,
      spoiler_text: '',
      visibility,
      language: expect.toBeOneOf([null, 'en']),
      uri: `${world.origin}/users/mara/statuses/${said.id}`,
      url: `${world.origin}/@mara/${said.id}`,
      replies_count: 0,
      reblogs_count: 0,
      favourites_count: 0,
      favourited: false,
      reblogged: false,
      muted: false,
      bookmarked: false,
      ...(visibility === 'direct' ? {} : { pinned: false }),
      edited_at: null,
      content: `<p>to some: ${visibility}</p>`,
      filtered: [],
      reblog: null,
      application: { name: expect.any(String), website: null },
      account: expect.objectContaining({ id: mara.id, acct: 'mara' }),
      media_attachments: [],
      mentions: [],
      tags: [],
      emojis: [],
      card: null,
      poll: null,
      quotes_count: 0,
      quote: null,
      quote_approval: {
        automatic: ['public', 'unlisted'].includes(visibility) ? ['public'] : [],
        manual: [],
        current_user: visibility === 'direct' ? 'denied' : 'automatic',
      },
    })
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body).toEqual(said)
  })

  test('shows the same to anonymous readers, without flags', async () => {
    const { favourited: _f, reblogged: _r, muted: _m, bookmarked: _b, pinned: _p, filtered: _x, ...rest } = await mara.says('for all')
    const quote_approval = { ...rest.quote_approval, current_user: 'denied' }
    expect((await world.get(`/api/v1/statuses/${rest.id}`)).body).toEqual({ ...rest, quote_approval })
  })

  test('without a visibility uses the preference, else private for the locked and public for others', async () => {
    const { lena } = await world.cast('lena')
    expect((await lena.says('open')).visibility).toBe('public')
    await lena.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    expect((await lena.says('closed')).visibility).toBe('private')
    await lena.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { privacy: 'unlisted' } } })
    expect((await lena.says('as I like it')).visibility).toBe('unlisted')
  })

  test.each(['friends', 'constructor', '__proto__', 'Public'])('refuses the visibility %s', async (visibility) => {
    const answer = await mara.post('/api/v1/statuses', { status: 'hello', visibility })
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: Visibility is not included in the list' }])
  })

  test('a reply names its parent and the parent’s author', async () => {
    const parent = await mara.says('who is there?')
    const reply = await joel.says('me', { in_reply_to_id: parent.id })
    expect(reply).toMatchObject({ in_reply_to_id: parent.id, in_reply_to_account_id: mara.id, mentions: [] })
  })

  test('a reply to a boost answers what was boosted', async () => {
    const said = await mara.says('boosted')
    const boost = await joel.reacts('reblog', said)
    expect(await joel.says('indeed', { in_reply_to_id: boost.id })).toMatchObject({
      in_reply_to_id: said.id,
      in_reply_to_account_id: mara.id,
    })
  })

  test('a parent that is missing and one that is hidden are refused alike', async () => {
    const hidden = await mara.says('secret', { visibility: 'private' })
    const gone = await mara.says('gone')
    await mara.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    const answers = await Promise.all(
      [hidden.id, gone.id, '1'].map((id) => joel.post('/api/v1/statuses', { status: 'but', in_reply_to_id: id })),
    )
    const refusal = '{"error":"The post you are trying to reply to does not appear to exist."}'
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([404, refusal]))
    expect(
      (await joel.get(`/api/v1/accounts/${joel.id}/statuses`)).body.filter(({ content }: { content: string }) => content === '<p>but</p>'),
    ).toEqual([])
  })

  test('a boost kept from the replier hides what it boosts, as reading it does', async () => {
    const { nora } = await world.cast('nora')
    const said = await mara.says('for all')
    const boost = await nora.reacts('reblog', said, { visibility: 'private' })
    expect((await joel.get(`/api/v1/statuses/${boost.id}`)).status).toBe(404)
    expect((await joel.post('/api/v1/statuses', { status: 'but', in_reply_to_id: boost.id })).status).toBe(404)
    expect((await nora.post('/api/v1/statuses', { status: 'mine', in_reply_to_id: boost.id })).body).toMatchObject({
      in_reply_to_id: said.id,
    })
  })

  test('a warning makes the status sensitive; alone it becomes the text', async () => {
    expect(await mara.says('the butler', { spoiler_text: 'ending' })).toMatchObject({
      sensitive: true,
      spoiler_text: 'ending',
      content: '<p>the butler</p>',
    })
    expect(await mara.says('the butler', { spoiler_text: 'ending', sensitive: false })).toMatchObject({ sensitive: true })
    expect(await mara.says('', { spoiler_text: 'ending' })).toMatchObject({ sensitive: true, spoiler_text: '', content: '<p>ending</p>' })
    expect(await mara.says('the butler', { spoiler_text: ' \n ' })).toMatchObject({ sensitive: false, spoiler_text: '' })
  })

  test('sensitive follows the request, then the preference', async () => {
    const { kira } = await world.cast('kira')
    expect((await kira.says('a', { sensitive: true })).sensitive).toBe(true)
    await kira.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { sensitive: true } } })
    expect((await kira.says('b')).sensitive).toBe(true)
    expect((await kira.says('c', { sensitive: false })).sensitive).toBe(false)
  })

  test('language follows the request, then the preference; what is no code is ignored', async () => {
    const { olga } = await world.cast('olga')
    expect((await olga.says('hallo', { language: 'de' })).language).toBe('de')
    await olga.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { language: 'pl' } } })
    expect((await olga.says('hej')).language).toBe('pl')
    expect((await olga.says('hej', { language: 'not a language' })).language).toBe('pl')
  })

  test.each([
    ['nothing', {}],
    ['an empty text', { status: '' }],
    ['white space', { status: ' \n\t ' }],
    ['a blank warning', { status: '', spoiler_text: '  ' }],
  ])('refuses %s', async (_name, body) => {
    const answer = await mara.post('/api/v1/statuses', body)
    expect([answer.status, answer.body]).toEqual([422, { error: blank }])
  })

  test('white space around a text is not part of it', async () => {
    expect((await mara.says('\n  hello  \n\n')).content).toBe('<p>hello</p>')
  })

  const url = `https://example.org/${'a'.repeat(300)}`
  const family = '👨‍👩‍👧‍👦'
  test.each([
    ['letters', 'x'.repeat(500)],
    ['a link, which counts 23', `${url} ${'x'.repeat(476)}`],
    ['a mention, which counts without its domain', `@joel@${'a'.repeat(100)}.example ${'x'.repeat(494)}`],
    ['emoji of many code points', family.repeat(500)],
  ])('takes 500 characters and refuses 501: %s', async (_name, text) => {
    expect((await mara.post('/api/v1/statuses', { status: text })).status).toBe(200)
    const answer = await mara.post('/api/v1/statuses', { status: `${text}x` })
    expect([answer.status, answer.body]).toEqual([422, { error: tooLong }])
  })

  test('the warning counts too', async () => {
    expect((await mara.post('/api/v1/statuses', { status: 'x'.repeat(400), spoiler_text: 'y'.repeat(100) })).status).toBe(200)
    expect((await mara.post('/api/v1/statuses', { status: 'x'.repeat(400), spoiler_text: 'y'.repeat(101) })).body).toEqual({
      error: tooLong,
    })
  })

  test('files alone are enough, each once, in the order given', async () => {
    const files = [await uploads(mara), await uploads(mara)]
    const said = await mara.says('', { media_ids: [files[1], files[0], files[1]] })
    expect(said.content).toBe('')
    expect(idsOf(said.media_attachments)).toEqual([files[1], files[0]])
    const again = await mara.post('/api/v1/statuses', { status: 'again', media_ids: [files[0]] })
    expect([again.status, again.body]).toEqual([422, { error: `Media ${files[0]} not found or already attached to another post` }])
    expect((await joel.post('/api/v1/statuses', { status: 'mine', media_ids: [await uploads(mara)] })).status).toBe(422)
  })

  test('says by which application it was posted', async () => {
    const app = (
      await world.asks('POST', '/api/v1/apps', {
        body: { client_name: 'Quill', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', website: 'https://quill.example' },
      })
    ).body
    await query(world, 'update auth.access_token set app_id = (select id from auth.app where client_id = $1) where account_id = $2', [
      app.client_id,
      joel.id,
    ])
    expect((await joel.says('by quill')).application).toEqual({ name: 'Quill', website: 'https://quill.example' })
  })
})

describe('mentions', () => {
  test('stand in the order of the text when posted, edited, scheduled, and read by a server that has read nothing yet', async () => {
    const people = await world.cast('zoe', 'abel', 'milo', 'ulla', 'yuri')
    const namesOf = ({ mentions }: { mentions: { username: string }[] }) => mentions.map(({ username }) => username)
    const orders = [
      ['zoe', 'abel', 'milo', 'ulla', 'yuri'],
      ['yuri', 'ulla', 'milo', 'abel', 'zoe'],
      ['milo', 'yuri', 'abel', 'zoe', 'ulla'],
    ]
    for (const names of orders) {
      const text = `${names.map((name) => `@${name.toUpperCase()}`).join(' ')} and @${names[0]} again`
      const said = await mara.says(text)
      expect(namesOf(said)).toEqual(names)
      const draft = await mara.says(text, { draft: true })
      expect(namesOf((await mara.post(`/api/v1/scheduled_statuses/${draft.id}/publish`)).body)).toEqual(names)
      const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: `@${names.toReversed().join(' @')}` } })
      expect(namesOf(edited.body)).toEqual(names.toReversed())
      const read = await withColdServer(world, ({ origin }) => ask(origin, 'GET', `/api/v1/statuses/${said.id}`, { token: mara.token }))
      expect(namesOf(read.body)).toEqual(names.toReversed())
      expect((await people.zoe.get(`/api/v1/statuses/${said.id}`)).body.mentions).toEqual(read.body.mentions)
    }
  })

  test('names people who exist, each once, regardless of case, with or without the domain', async () => {
    const said = await mara.says(`@Joel and @JOEL@${new URL(world.origin).host}, not @nobody nor @joel@elsewhere.example`)
    expect(said.mentions).toEqual([{ id: joel.id, username: 'joel', acct: 'joel', url: `${world.origin}/@joel` }])
    expect(said.content.match(/class="u-url mention"/g)).toHaveLength(2)
    expect(said.content).toContain('@nobody')
    expect(said.content).toContain('@joel@elsewhere.example')
  })

  test('leaves out people who cannot sign in', async () => {
    const { dora } = await world.cast('dora')
    const call = callWithin(30)
    await world.operator().setDisabled(call, { username: 'dora', isDisabled: true })
    await world.advance(0)
    expect((await mara.says('@dora are you well?')).mentions).toEqual([])
    await world.operator().setDisabled(call, { username: 'dora', isDisabled: false })
    await world.advance(0)
    expect(idsOf((await mara.says('@dora welcome back')).mentions)).toEqual([dora.id])
  })

  test('leaves out people with whom a block stands, and they cannot read what was meant for them', async () => {
    const { vera, igor } = await world.cast('vera', 'igor')
    await vera.does('block', mara)
    await mara.does('block', igor)
    const said = await mara.says('@vera @igor @joel hello', { visibility: 'direct' })
    expect(idsOf(said.mentions)).toEqual([joel.id])
    expect(said.content).toContain('<p>@vera @igor <span')
    await world.idle()
    expect([await vera.notifications(), await igor.notifications()]).toEqual([[], []])
    expect((await igor.get(`/api/v1/statuses/${said.id}`)).status).toBe(404)
  })

  test('does not notify a mentioned account that blocks another of the mentioned, or the author of the parent', async () => {
    const { nils, rosa, saul } = await world.cast('nils', 'rosa', 'saul')
    await nils.does('block', rosa)
    await mara.says('@nils @rosa dinner?')
    const parent = await rosa.says('I cook')
    await saul.says('@nils come too', { in_reply_to_id: parent.id })
    const notified = await saul.says('@nils only you')
    await world.idle()
    expect((await nils.notifications()).map(({ status }) => status.id)).toEqual([notified.id])
    expect((await rosa.notifications()).map(({ type }) => type)).toEqual(['mention'])
  })

  test('notifies a mentioned account that blocks someone who is not mentioned because the author does so too', async () => {
    const { ruth, kuno, toni } = await world.cast('ruth', 'kuno', 'toni')
    for (const person of [ruth, toni]) await person.does('block', kuno)
    const said = await ruth.says('@kuno @toni dinner?')
    const { id } = await ruth.says('dinner?')
    await ruth.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: '@kuno @toni dinner?' } })
    await world.idle()
    expect((await toni.notifications()).map(({ status }) => status.id).toSorted()).toEqual([said.id, id])
    expect(await kuno.notifications()).toEqual([])
  })

  test('notifies the mentioned once, not the author, and not accounts that mute the author’s notifications', async () => {
    const { anna, bert, carl } = await world.cast('anna', 'bert', 'carl')
    await bert.does('mute', anna)
    await carl.does('mute', anna, { notifications: false })
    const said = await anna.says('@anna @bert @carl @joel')
    await world.idle()
    expect(await anna.notifications()).toEqual([])
    expect(await bert.notifications()).toEqual([])
    expect(await carl.notifications()).toMatchObject([{ type: 'mention', account: { id: anna.id }, status: { id: said.id } }])
    expect((await joel.notifications('?limit=1'))[0]).toMatchObject({ type: 'mention', status: { id: said.id } })
  })
})

describe('the same Idempotency-Key', () => {
  const key = (name: string) => ({ 'Idempotency-Key': name })
  const inPublic = async (text: string) => {
    const list = (await world.get('/api/v1/timelines/public?limit=40')).body
    return list.filter(({ content }: { content: string }) => content === `<p>${text}</p>`)
  }

  test('again, also with other parameters, answers with the first status', async () => {
    const first = await mara.says('once', {}, key('once'))
    const again = await mara.says('twice', { visibility: 'direct', spoiler_text: 'x' }, key('once'))
    expect(again).toEqual({ ...first, account: expect.objectContaining({ id: mara.id }) })
    expect(await inPublic('twice')).toEqual([])
    const invalid = await mara.post('/api/v1/statuses', { status: '' }, key('once'))
    expect(invalid.body.id).toBe(first.id)
  })

  test('may be any string: of thousands of characters, it counts to the last', async () => {
    const long = 'k'.repeat(5000)
    const first = await mara.says('long', {}, key(`${long}1`))
    expect((await mara.says('long', {}, key(`${long}1`))).id).toBe(first.id)
    expect((await mara.says('long', {}, key(`${long}2`))).id).not.toBe(first.id)
  })

  test('fifty times at once makes one status, with its files', async () => {
    const { mona } = await world.cast('mona')
    const file = await uploads(mona)
    const said = await Promise.all(Array.from({ length: 50 }, () => mona.says('#flood', { media_ids: [file] }, key('flood'))))
    expect(new Set(idsOf(said)).size).toBe(1)
    expect(said.every(({ media_attachments }) => media_attachments[0]?.id === file)).toBe(true)
    expect((await accountOf(mona)).statuses_count).toBe(1)
    await world.idle()
    expect(idsOf(await mona.home())).toEqual([said[0].id])
  })

  test('is each account’s own', async () => {
    const [a, b] = await Promise.all([mara.says('mine', {}, key('shared')), joel.says('mine', {}, key('shared'))])
    expect(a.id).not.toBe(b.id)
    expect([a.account.id, b.account.id]).toEqual([mara.id, joel.id])
  })

  test('is compared to its end', async () => {
    const first = await mara.says('one', {}, key(`${'k'.repeat(255)}1`))
    const second = await mara.says('two', {}, key(`${'k'.repeat(255)}2`))
    expect(second.id).not.toBe(first.id)
    expect((await mara.says('two', {}, key(`${'k'.repeat(255)}2`))).id).toBe(second.id)
  })

  test('makes a new status after the first was deleted', async () => {
    const first = await mara.says('draft', {}, key('redraft'))
    await mara.asks('DELETE', `/api/v1/statuses/${first.id}`)
    const second = await mara.says('draft', {}, key('redraft'))
    expect(second.id).not.toBe(first.id)
    expect((await mara.says('draft', {}, key('redraft'))).id).toBe(second.id)
  })

  test('works after a request that was refused, and the status is as new as its request', async () => {
    const { otto } = await world.cast('otto')
    expect((await otto.post('/api/v1/statuses', { status: 'x'.repeat(501) }, key('retry'))).status).toBe(422)
    expect((await otto.post('/api/v1/statuses', { status: 'x', in_reply_to_id: '1' }, key('retry'))).status).toBe(404)
    const between = await mara.says('meanwhile')
    await world.advance(10 * 60_000)
    const said = await otto.says('x', {}, key('retry'))
    expect(BigInt(said.id)).toBeGreaterThan(BigInt(between.id))
    expect(Date.parse(said.created_at)).toBeGreaterThan(world.clock.now() - 60_000)
    expect((await otto.says('x', {}, key('retry'))).id).toBe(said.id)
  })

  test('is forgotten after an hour, whether or not the job came round', async () => {
    const first = await mara.says('hourly', {}, key('hour'))
    world.clock.advance(HOUR - 60_000)
    expect((await mara.says('hourly', {}, key('hour'))).id).toBe(first.id)
    world.clock.advance(2 * 60_000)
    const second = await mara.says('hourly', {}, key('hour'))
    expect(second.id).not.toBe(first.id)
    world.clock.advance(HOUR + 60_000)
    await runJob(world, 'forget-idempotency-keys')
    expect(await query(world, 'select key from statuses.idempotency_key where account_id = $1', [mara.id])).toEqual([])
    expect((await mara.says('hourly', {}, key('hour'))).id).not.toBe(second.id)
  })
})

describe('counts', () => {
  test('statuses without direct ones, with boosts; last_status_at is the day of the last that counts', async () => {
    const { cora, dave } = await world.cast('cora', 'dave')
    expect(await accountOf(cora)).toMatchObject({ statuses_count: 0, last_status_at: null })
    await cora.says('psst @dave', { visibility: 'direct' })
    expect(await accountOf(cora)).toMatchObject({ statuses_count: 0, last_status_at: null })
    const said = []
    for (const visibility of ['public', 'unlisted', 'private']) said.push(await cora.says('hello', { visibility }))
    expect(said.map(({ account }) => account.statuses_count)).toEqual([1, 2, 3])
    await dave.reacts('reblog', said[0])
    expect(await accountOf(dave)).toMatchObject({ statuses_count: 1 })
    const day = new Date(world.clock.now()).toISOString().slice(0, 10)
    expect(await accountOf(cora)).toMatchObject({ statuses_count: 3, last_status_at: day })
  })

  test('replies: only public and unlisted ones to the status itself', async () => {
    const parent = await mara.says('count me')
    for (const visibility of ['public', 'unlisted', 'private', 'direct'])
      await joel.says(visibility, { visibility, in_reply_to_id: parent.id })
    const nested = await joel.says('mine', { in_reply_to_id: parent.id })
    await joel.says('below', { in_reply_to_id: nested.id })
    expect((await mara.get(`/api/v1/statuses/${parent.id}`)).body.replies_count).toBe(3)
    await joel.asks('DELETE', `/api/v1/statuses/${nested.id}`)
    expect((await mara.get(`/api/v1/statuses/${parent.id}`)).body.replies_count).toBe(2)
  })

  test('stay exact when many post, reply and delete at once', async () => {
    const { emil, fred } = await world.cast('emil', 'fred')
    const parent = await emil.says('all at once')
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? emil : fred).says('re', { in_reply_to_id: parent.id })),
    )
    await Promise.all(replies.slice(0, 20).map((reply, index) => (index % 2 ? emil : fred).asks('DELETE', `/api/v1/statuses/${reply.id}`)))
    expect((await emil.get(`/api/v1/statuses/${parent.id}`)).body.replies_count).toBe(10)
    expect((await accountOf(emil)).statuses_count).toBe(6)
    expect((await accountOf(fred)).statuses_count).toBe(5)
  })
})

describe('deleting', () => {
  test('a reply to what is gone answers with what can be posted again', async () => {
    const parent = await joel.says('a question')
    const [kept, orphan] = [await mara.says('yes', { in_reply_to_id: parent.id }), await mara.says('no', { in_reply_to_id: parent.id })]
    const account = { in_reply_to_account_id: joel.id }
    const first = await mara.asks('DELETE', `/api/v1/statuses/${kept.id}`)
    expect(first.body).toMatchObject({ text: 'yes', in_reply_to_id: parent.id, ...account })
    await joel.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    const { body } = await mara.asks('DELETE', `/api/v1/statuses/${orphan.id}`)
    expect(body).toMatchObject({ id: orphan.id, text: 'no', in_reply_to_id: null, ...account })
    const again = await mara.post('/api/v1/statuses', { status: body.text, in_reply_to_id: body.in_reply_to_id })
    expect(again.status).toBe(200)
  })

  test('answers with what is needed to post again', async () => {
    const file = await uploads(mara)
    const text = 'Tea & #cake <3\n\n@joel https://example.org'
    const said = await mara.says(text, { spoiler_text: 'food', media_ids: [file], language: 'en' })
    const answer = await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...said, text, account: expect.objectContaining({ id: mara.id }) })
    await world.idle()
    expect((await mara.says(text, { media_ids: [file] })).media_attachments).toMatchObject([{ id: file }])
  })

  test('is for one’s own only, and once; another’s and a missing one are refused alike', async () => {
    const said = await mara.says('mine')
    const refusals = [await joel.asks('DELETE', `/api/v1/statuses/${said.id}`), await joel.asks('DELETE', '/api/v1/statuses/1')]
    expect(refusals.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([404, '{"error":"Record not found"}']))
    expect((await world.get(`/api/v1/statuses/${said.id}`)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, () => mara.asks('DELETE', `/api/v1/statuses/${said.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect((await world.get(`/api/v1/statuses/${said.id}`)).status).toBe(404)
  })

  test('takes everything along that hung on it', async () => {
    const { gina, hugo, ida } = await world.cast('gina', 'hugo', 'ida')
    await hugo.follows(gina)
    await ida.follows(hugo)
    const said = await gina.says('@hugo #farewell')
    await hugo.reacts('favourite', said)
    await hugo.reacts('bookmark', said)
    const boost = await hugo.reacts('reblog', said)
    await world.idle()
    expect(idsOf(await ida.home())).toEqual([boost.id])
    expect((await gina.notifications()).map(({ type }) => type).sort()).toEqual(['favourite', 'follow', 'reblog'])
    expect((await accountOf(hugo)).statuses_count).toBe(1)
    await gina.asks('DELETE', `/api/v1/statuses/${said.id}`)
    // What owners of other pages keep goes with the event; what the schema itself keeps went with the row.
    expect((await hugo.get('/api/v1/favourites')).body).toEqual([])
    expect((await hugo.get('/api/v1/bookmarks')).body).toEqual([])
    expect((await hugo.get(`/api/v1/statuses/${boost.id}`)).status).toBe(404)
    expect((await accountOf(hugo)).statuses_count).toBe(0)
    expect((await accountOf(gina)).statuses_count).toBe(0)
    expect((await world.get('/api/v1/timelines/tag/farewell')).body).toEqual([])
    expect([await gina.home(), await hugo.home(), await ida.home()]).toEqual([[], [], []])
    await world.idle()
    expect((await gina.notifications()).map(({ type }) => type)).toEqual(['follow'])
    expect(await hugo.notifications()).toMatchObject([{ type: 'follow' }])
    for (const table of ['feed', 'mention', 'favourite', 'bookmark', 'status', 'status_tag']) {
      const column = table === 'status' ? 'id' : 'status_id'
      expect(await query(world, `select * from statuses.${table} where ${column} = any($1::bigint[])`, [[said.id, boost.id]])).toEqual([])
    }
    expect(await query(world, 'select * from notifications.notification where status_id = $1', [said.id])).toEqual([])
  })

  test('leaves the replies, which then answer its author, but no status', async () => {
    const parent = await mara.says('question')
    const reply = await joel.says('answer', { in_reply_to_id: parent.id })
    expect((await world.get(`/api/v1/statuses/${reply.id}`)).body.in_reply_to_id).toBe(parent.id)
    await mara.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    await world.idle()
    const left = { content: '<p>answer</p>', in_reply_to_id: null, in_reply_to_account_id: mara.id }
    expect((await world.get(`/api/v1/statuses/${reply.id}`)).body).toMatchObject(left)
    expect((await joel.home()).find(({ id }) => id === reply.id)).toMatchObject(left)
    expect((await world.get(`/api/v1/statuses/${reply.id}/context`)).body).toEqual({ ancestors: [], descendants: [] })
  })

  test('a boost by its own id takes the boost back', async () => {
    const said = await mara.says('boosted')
    const boost = await joel.reacts('reblog', said)
    const answer = await joel.asks('DELETE', `/api/v1/statuses/${boost.id}`)
    expect(answer.body).toMatchObject({ id: boost.id, text: '', reblog: { id: said.id } })
    expect((await joel.get(`/api/v1/statuses/${said.id}`)).body).toMatchObject({ reblogs_count: 0, reblogged: false })
    await world.idle()
    expect((await mara.notifications('?types[]=reblog')).filter(({ status }) => status.id === said.id)).toEqual([])
  })

  test('a boost of someone who has blocked the booster since works too', async () => {
    const { juno, karl } = await world.cast('juno', 'karl')
    const said = await juno.says('boosted')
    const boost = await karl.reacts('reblog', said)
    await juno.does('block', karl)
    const answer = await karl.asks('DELETE', `/api/v1/statuses/${boost.id}`)
    expect([answer.status, answer.body.id]).toEqual([200, boost.id])
    expect((await world.get(`/api/v1/statuses/${said.id}`)).body.reblogs_count).toBe(0)
  })
})

describe('acts on the same rows at once do not lock each other out', () => {
  test('new tags, in any order they were typed', async () => {
    const before = await deadlocksOf(world)
    const other = await holding(world)
    const insert = 'insert into statuses.tag (name, display, created_at) values ($1, $1, now())'
    await other.query(insert, ['lockm'])
    const said = mara.says('#lockz #lockm #locka')
    await untilSomeoneWaits(world)
    await other.query(insert, ['lockz'])
    await other.end()
    expect((await said).tags).toHaveLength(3)
    expect(await deadlocksOf(world)).toBe(before)
  })

  test('replies, boosts and favourites while what they are about is deleted', async () => {
    const people = Object.values(await world.cast('lock1', 'lock2', 'lock3', 'lock4'))
    const before = await deadlocksOf(world)
    for (let round = 0; round < 5; round++) {
      const root = await people[0]!.says('root')
      const parent = await people[1]!.says('parent', { in_reply_to_id: root.id })
      await Promise.all(people.map((person) => person.reacts('reblog', parent)))
      await Promise.all([
        ...people.flatMap((person) => [
          person.post('/api/v1/statuses', { status: 're', in_reply_to_id: parent.id }),
          person.post(`/api/v1/statuses/${parent.id}/unreblog`),
          person.post(`/api/v1/statuses/${parent.id}/favourite`),
          person.post(`/api/v1/statuses/${root.id}/reblog`),
          person.post('/api/v1/statuses', { status: 're', in_reply_to_id: root.id }),
        ]),
        people[1]!.asks('DELETE', `/api/v1/statuses/${parent.id}`),
        people[0]!.asks('DELETE', `/api/v1/statuses/${root.id}`),
      ])
    }
    expect(await deadlocksOf(world)).toBe(before)
    for (const person of people) {
      const mine = await query(world, 'select count(*)::int from statuses.status_head where author_id = $1', [person.id])
      expect((await accountOf(person)).statuses_count).toBe(mine[0].count)
    }
  })
})
