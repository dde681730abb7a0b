import { type Answer, type Person, World } from '@rookery/test-world'
import { deadlocksOf, idsOf, query } from '@rookery/test-world/queries'
import { HOUR, schedules } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Statuses that quote others, and who may quote (beyond-the-spec 1.1, 2.1; docs.joinmastodon.org, client/quotes).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let mara: Person
let joel: Person
let ines: Person
let round = 0

beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** Three people who have nothing to do with each other. */
const strangers = async () => {
  const names = [`mara${++round}`, `joel${round}`, `ines${round}`]
  const people = await world.cast(...names)
  ;[mara, joel, ines] = names.map((name) => people[name]!) as [Person, Person, Person]
}

const quotes = (person: Person, { id }: { id: string }, more: object = {}): Promise<Json> =>
  person.says('what they said', { quoted_status_id: id, ...more })
const triesToQuote = (person: Person, { id }: { id: string }, more: object = {}): Promise<Answer> =>
  person.post('/api/v1/statuses', { status: 'what they said', quoted_status_id: id, ...more })
const seen = async (reader: { get(path: string): Promise<Answer> }, { id }: { id: string }): Promise<Json> =>
  (await reader.get(`/api/v1/statuses/${id}`)).body
const stateFor = async (reader: { get(path: string): Promise<Answer> }, quoting: { id: string }) => {
  const { quote } = await seen(reader, quoting)
  return [quote.state, quote.quoted_status?.id ?? null]
}
const revokes = (person: Person, quoted: { id: string }, quoting: { id: string }) =>
  person.post(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`)
const sets = (person: Person, { id }: { id: string }, policy: string) =>
  person.asks('PUT', `/api/v1/statuses/${id}/interaction_policy`, { body: { quote_approval_policy: policy } })
const listed = async (reader: { get(path: string): Promise<Answer> }, { id }: { id: string }, more = '') =>
  idsOf((await reader.get(`/api/v1/statuses/${id}/quotes${more}`)).body)

/** A link as posts show it: without its scheme, and cut after 30 characters. */
const linkTo = (url: string) => {
  const [, scheme, visible, rest] = /^(https?:\/\/)(.{1,30})(.*)$/.exec(url)!
  const spans = `<span class="invisible">${scheme}</span><span class="${rest ? 'ellipsis' : ''}">${visible}</span><span class="invisible">${rest}</span>`
  return `<a href="${url}" target="_blank" rel="nofollow noopener" translate="no">${spans}</a>`
}

const NOT_QUOTABLE = { error: 'The post you are trying to quote does not appear to exist.' }

describe('a quote', () => {
  beforeAll(strangers)

  test('shows what it quotes as the viewer sees it, on its own and on every page', async () => {
    const said = await mara.says('tea is ready')
    await ines.reacts('favourite', said)
    const quoting = await quotes(joel, said)
    expect(quoting).toMatchObject({ quotes_count: 0, quote: { state: 'accepted', quoted_status: { id: said.id, content: said.content } } })
    expect(quoting.quote.quoted_status).toMatchObject({ account: { id: mara.id }, quotes_count: 1, quote: null, favourited: false })
    await world.idle()
    expect(await seen(joel, quoting)).toEqual(quoting)
    expect((await seen(ines, quoting)).quote.quoted_status).toMatchObject({ favourited: true, favourites_count: 1 })
    expect(await seen(world, quoting)).toMatchObject({ quote: { quoted_status: { id: said.id } } })
    expect((await seen(world, quoting)).quote.quoted_status).not.toHaveProperty('favourited')
    const publicPage = (await ines.get('/api/v1/timelines/public')).body
    expect(publicPage.find(({ id }: Json) => id === quoting.id)).toEqual(await seen(ines, quoting))
    expect((await joel.home()).find(({ id }: Json) => id === quoting.id)).toEqual(quoting)
    expect(await seen(ines, said)).toMatchObject({ quotes_count: 1 })
  })

  test('shows what it quotes in notifications, as on its own', async () => {
    const said = await mara.says('quote this')
    const quoting = await quotes(joel, said)
    await world.idle()
    const shown = await seen(mara, quoting)
    expect(shown.quote.quoted_status.id).toBe(said.id)
    const isOfQuote = ({ type, status }: Json) => type === 'quote' && status.id === quoting.id
    const listed = (await mara.notifications()).find(isOfQuote)
    expect(listed.status).toEqual(shown)
    expect((await mara.get(`/api/v1/notifications/${listed.id}`)).body.status).toEqual(shown)
    expect((await mara.get('/api/v2/notifications')).body.statuses).toContainEqual(shown)
  })

  test('of a quote names what that quotes by its id', async () => {
    const first = await mara.says('one')
    const second = await quotes(joel, first)
    const third = await quotes(ines, second)
    expect(third.quote.quoted_status).toMatchObject({ id: second.id, quote: { state: 'accepted', quoted_status_id: first.id } })
    expect(third.quote.quoted_status.quote).not.toHaveProperty('quoted_status')
  })

  test('of a boost quotes what is boosted, and a boost shows the quote of what it boosts', async () => {
    const said = await mara.says('boosted')
    const boost = await ines.reacts('reblog', said)
    const quoting = await quotes(joel, boost)
    expect(quoting.quote.quoted_status.id).toBe(said.id)
    const boostOfQuote = await ines.reacts('reblog', quoting)
    expect(boostOfQuote).toMatchObject({ quote: null, reblog: { id: quoting.id, quote: { quoted_status: { id: said.id } } } })
  })

  test('stays when its status is edited, and shows no card', async () => {
    const said = await mara.says('before')
    const quoting = await quotes(joel, said, { status: 'see https://tea.example/' })
    const { body } = await joel.asks('PUT', `/api/v1/statuses/${quoting.id}`, { body: { status: 'see https://tea.example/ again' } })
    expect(body).toMatchObject({ card: null, quote: { state: 'accepted', quoted_status: { id: said.id } } })
    expect(await query(world, 'select status_id from statuses.status_card where status_id = $1', [quoting.id])).toEqual([])
  })

  test('needs no text of its own, and its warning stays one', async () => {
    const said = await mara.says('look at this')
    const content = `<p class="quote-inline">RE: ${linkTo(said.url)}</p>`
    expect(await quotes(joel, said, { status: '' })).toMatchObject({ content, quote: { quoted_status: { id: said.id } } })
    const warned = await quotes(joel, said, { status: ' ', spoiler_text: 'tea' })
    expect(warned).toMatchObject({ content, spoiler_text: 'tea', sensitive: true, quote: { quoted_status: { id: said.id } } })
    const edit = async (id: string, body: object) => joel.asks('PUT', `/api/v1/statuses/${id}`, { body })
    expect((await edit(warned.id, { status: '', spoiler_text: 'coffee' })).body).toMatchObject({ content, spoiler_text: 'coffee' })
    const plain = await joel.says('nothing quoted')
    expect(await edit(plain.id, { status: '' })).toMatchObject({ status: 422, body: { error: "Validation failed: Text can't be blank" } })
  })

  test('says in its text what it quotes, for apps that know no quotes, unless its author does', async () => {
    const said = await mara.says('one')
    const second = await quotes(joel, said)
    expect(second.content).toBe(`<p class="quote-inline">RE: ${linkTo(said.url)}</p><p>what they said</p>`)
    const { content } = await quotes(joel, said, { status: `see ${said.url}` })
    expect(content).toBe(`<p>see ${linkTo(said.url)}</p>`)
    // A quote within a quote is not shown, so nothing of it is said either.
    const third = await quotes(ines, second)
    expect(third.quote.quoted_status).toMatchObject({ content: '<p>what they said</p>' })
    expect((await joel.get(`/api/v1/statuses/${second.id}/source`)).body).toMatchObject({ text: 'what they said' })
    expect(await joel.reacts('reblog', third)).toMatchObject({ content: '', reblog: { content: third.content } })
  })

  test('shows what is quoted as it is edited', async () => {
    const said = await mara.says('before')
    const quoting = await quotes(joel, said)
    await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'after' } })
    expect((await seen(ines, quoting)).quote.quoted_status.content).toBe('<p>after</p>')
  })

  test('is made once when the request is repeated, and counted once', async () => {
    const said = await mara.says('once')
    const ask = () => joel.says('again', { quoted_status_id: said.id }, { 'idempotency-key': `quote ${said.id}` })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one.id).toBe(other.id)
    expect(await seen(ines, said)).toMatchObject({ quotes_count: 1 })
    expect(await listed(ines, said)).toEqual([one.id])
  })

  test('of a status at the moment of its deletion is refused or shows that it is gone; no one waits for the other', async () => {
    const before = await deadlocksOf(world)
    for (let number = 0; number < 8; number++) {
      const said = await mara.says(`going ${number}`)
      const parent = await mara.says('asked')
      const [answer] = await Promise.all([
        triesToQuote(joel, said, { in_reply_to_id: parent.id }),
        triesToQuote(ines, parent, { in_reply_to_id: said.id }),
        mara.asks('DELETE', `/api/v1/statuses/${said.id}`),
      ])
      if (answer.status === 200) expect(await stateFor(ines, answer.body)).toEqual(['deleted', null])
      else expect([answer.status, answer.body]).toEqual([404, NOT_QUOTABLE])
    }
    expect(await deadlocksOf(world)).toBe(before)
  })
})

describe('who may quote', () => {
  beforeAll(strangers)

  test.each([
    ['public', { automatic: ['public'], manual: [] }, 'automatic', 200],
    ['followers', { automatic: ['followers'], manual: [] }, 'denied', 404],
    ['nobody', { automatic: [], manual: [] }, 'denied', 404],
  ])('a status for %s says so, to strangers and to followers', async (policy, approval, stranger, status) => {
    await joel.follows(mara)
    const said = await mara.says(`for ${policy}`, { quote_approval_policy: policy })
    const follower = policy === 'nobody' ? 'denied' : 'automatic'
    expect(said.quote_approval).toEqual({ ...approval, current_user: 'automatic' })
    expect((await seen(ines, said)).quote_approval).toEqual({ ...approval, current_user: stranger })
    expect((await seen(joel, said)).quote_approval).toEqual({ ...approval, current_user: follower })
    expect((await seen(world, said)).quote_approval).toEqual({ ...approval, current_user: 'denied' })
    const publicPage = (await joel.get('/api/v1/timelines/public')).body
    expect(publicPage[0].quote_approval).toEqual({ ...approval, current_user: follower })
    expect((await triesToQuote(ines, said)).status).toBe(status)
    expect((await triesToQuote(joel, said)).status).toBe(policy === 'nobody' ? 404 : 200)
    expect((await triesToQuote(mara, said)).status).toBe(200)
    await joel.does('unfollow', mara)
  })

  test('a word that is no policy is refused', async () => {
    const said = await mara.says('words')
    const error = 'Validation failed: Quote approval policy is not included in the list'
    const refused = { status: 422, body: { error } }
    expect(await mara.post('/api/v1/statuses', { status: 'tea', quote_approval_policy: 'friends' })).toMatchObject(refused)
    expect(await sets(mara, said, 'friends')).toMatchObject(refused)
    expect(await sets(mara, said, '')).toMatchObject(refused)
    expect(await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'tea', quote_approval_policy: 'x' } })).toMatchObject(
      refused,
    )
  })

  test('is what the author prefers unless a status says otherwise', async () => {
    const source = { quote_policy: 'followers' }
    await ines.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source } })
    expect((await ines.get('/api/v1/preferences')).body).toMatchObject({ 'posting:default:quote_policy': 'followers' })
    expect((await ines.says('as always')).quote_approval.automatic).toEqual(['followers'])
    expect((await ines.says('for all', { quote_approval_policy: 'public' })).quote_approval.automatic).toEqual(['public'])
    await ines.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { quote_policy: 'public' } } })
  })

  test('can be changed later by its author, alone and with an edit; quotes that are there stay', async () => {
    const said = await mara.says('changing')
    const quoting = await quotes(joel, said)
    expect((await sets(mara, said, 'nobody')).body).toMatchObject({ id: said.id, edited_at: null, quote_approval: { automatic: [] } })
    expect((await triesToQuote(joel, said)).status).toBe(404)
    expect(await stateFor(ines, quoting)).toEqual(['accepted', said.id])
    const edit = (body: object) => mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body })
    expect((await edit({ status: 'changed', quote_approval_policy: 'followers' })).body.quote_approval.automatic).toEqual(['followers'])
    expect((await edit({ status: 'changed' })).body.quote_approval.automatic).toEqual(['followers'])
    const again = (await edit({ status: 'changed', quote_approval_policy: 'public' })).body
    expect(again.quote_approval.automatic).toEqual(['public'])
    expect((await mara.get(`/api/v1/statuses/${said.id}/history`)).body).toHaveLength(2)
    expect((await sets(joel, said, 'nobody')).status).toBe(404)
  })

  test('is told with each version of the status that quotes, as its reader may see it', async () => {
    const said = await mara.says('quoted and edited')
    const quoting = await quotes(joel, said)
    expect((await joel.asks('PUT', `/api/v1/statuses/${quoting.id}`, { body: { status: 'said otherwise' } })).status).toBe(200)
    const history = async (id: string) => (await ines.get(`/api/v1/statuses/${id}/history`)).body
    const { quote } = (await ines.get(`/api/v1/statuses/${quoting.id}`)).body
    expect(quote).toMatchObject({ state: 'accepted', quoted_status: { id: said.id } })
    expect((await history(quoting.id)).map((version: Json) => version.quote)).toEqual([quote, quote])
    expect((await history(said.id))[0]).not.toHaveProperty('quote')
  })

  test('a private status is quoted by its author only, in private; a direct one by no one', async () => {
    await joel.follows(mara)
    const secret = await mara.says('among us', { visibility: 'private', quote_approval_policy: 'public' })
    expect(secret.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' })
    expect((await sets(mara, secret, 'public')).body.quote_approval.automatic).toEqual([])
    expect((await triesToQuote(joel, secret)).status).toBe(404)
    expect((await quotes(mara, secret, { visibility: 'public' })).visibility).toBe('private')
    const direct = await mara.says('to me', { visibility: 'direct' })
    expect(direct.quote_approval.current_user).toBe('denied')
    expect(await triesToQuote(mara, direct)).toMatchObject({ status: 404, body: NOT_QUOTABLE })
    await joel.does('unfollow', mara)
  })

  test('a direct status quotes those whom it mentions', async () => {
    const said = await mara.says('public')
    expect(await triesToQuote(joel, said, { visibility: 'direct' })).toMatchObject({
      status: 422,
      body: { error: 'Cannot quote a non-mentioned user in a Private Mention post.' },
    })
    const direct = await quotes(joel, said, { status: `@${mara.username} hm`, visibility: 'direct' })
    expect(direct.quote.quoted_status).toMatchObject({ id: said.id, quotes_count: 0 })
    expect(await listed(ines, said)).toEqual([])
    expect(await listed(mara, said)).toEqual([direct.id])
  })

  test('what is not there and what one may not see are the same', async () => {
    const secret = await mara.says('secret', { visibility: 'private' })
    const refused = { status: 404, body: NOT_QUOTABLE }
    expect(await triesToQuote(joel, secret)).toMatchObject(refused)
    expect(await triesToQuote(joel, { id: '1' })).toMatchObject(refused)
    const said = await mara.says('public')
    await mara.does('block', joel)
    expect(await triesToQuote(joel, said)).toMatchObject(refused)
    await mara.does('unblock', joel)
    await joel.does('block', mara)
    expect(await triesToQuote(joel, said)).toMatchObject(refused)
    await joel.does('unblock', mara)
  })
})

describe('what a viewer may not see', () => {
  beforeAll(strangers)

  test('is not shown by a quote: of a private status, to those who do not follow', async () => {
    await joel.follows(mara)
    const secret = await mara.says('among us', { visibility: 'private' })
    const quoting = await quotes(mara, secret, { visibility: 'private' })
    // Ines is mentioned in the quote, and does not follow.
    const shown = await quotes(mara, secret, { status: `@${ines.username} look`, visibility: 'private' })
    const { text } = await ines.get(`/api/v1/statuses/${shown.id}`)
    expect(await stateFor(joel, quoting)).toEqual(['accepted', secret.id])
    expect(await stateFor(ines, shown)).toEqual(['unauthorized', null])
    expect(text).not.toContain('among us')
    expect(text).not.toContain(secret.id)
    expect((await seen(joel, quoting)).content).toContain(linkTo(secret.url))
    expect((await seen(ines, shown)).content).not.toContain('quote-inline')
    await joel.does('unfollow', mara)
  })

  test('nor one step further', async () => {
    await joel.follows(mara)
    const secret = await mara.says('among us', { visibility: 'private' })
    const inner = await quotes(mara, secret, { status: `@${ines.username} inner`, visibility: 'private' })
    const outer = await quotes(mara, inner, { status: `@${ines.username} outer`, visibility: 'private' })
    expect((await seen(joel, outer)).quote.quoted_status.quote).toEqual({ state: 'accepted', quoted_status_id: secret.id })
    const { text, body } = await ines.get(`/api/v1/statuses/${outer.id}`)
    expect(body.quote.quoted_status.quote).toEqual({ state: 'unauthorized', quoted_status_id: null })
    expect(text).not.toContain(secret.id)
    await joel.does('unfollow', mara)
  })

  test('blocks and mutes decide for each viewer', async () => {
    const said = await mara.says('tea')
    const quoting = await quotes(joel, said)
    expect(await stateFor(ines, quoting)).toEqual(['accepted', said.id])
    await ines.does('mute', mara)
    expect(await stateFor(ines, quoting)).toEqual(['muted_account', said.id])
    expect((await seen(ines, quoting)).content).toBe('<p>what they said</p>')
    await ines.does('block', mara)
    expect(await stateFor(ines, quoting)).toEqual(['blocked_account', said.id])
    await ines.does('unblock', mara)
    await ines.does('unmute', mara)
    await mara.does('block', ines)
    expect(await stateFor(ines, quoting)).toEqual(['unauthorized', null])
    expect(await stateFor(world, quoting)).toEqual(['accepted', said.id])
    await mara.does('unblock', ines)
    expect(await stateFor(ines, quoting)).toEqual(['accepted', said.id])
  })

  test('a quote outlives what it quotes as deleted', async () => {
    const said = await mara.says('soon gone')
    const quoting = await quotes(joel, said)
    await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    expect(await stateFor(ines, quoting)).toEqual(['deleted', null])
    expect((await seen(joel, quoting)).quote).toEqual({ state: 'deleted', quoted_status: null })
  })

  test('a deleted quote is no longer counted or listed', async () => {
    const said = await mara.says('quoted twice')
    const [one, other] = [await quotes(joel, said), await quotes(ines, said)]
    expect(await listed(mara, said)).toEqual([other.id, one.id])
    await joel.asks('DELETE', `/api/v1/statuses/${one.id}`)
    expect(await listed(mara, said)).toEqual([other.id])
    expect((await seen(mara, said)).quotes_count).toBe(1)
  })
})

describe('the quotes of a status', () => {
  beforeAll(strangers)

  test('are a page, newest first, of those the viewer may see', async () => {
    const said = await mara.says('much quoted')
    const made: Json[] = []
    for (let number = 0; number < 5; number++) made.unshift(await quotes(joel, said))
    const hidden = await quotes(ines, said, { visibility: 'private' })
    expect(await listed(mara, said)).toEqual(idsOf(made))
    expect((await world.get(`/api/v1/statuses/${said.id}/quotes`)).status).toBe(401)
    expect(await listed(ines, said)).toEqual([hidden.id, ...idsOf(made)])
    expect(await listed(joel, said, '?limit=2')).toEqual(idsOf(made.slice(0, 2)))
    expect(await listed(joel, said, `?limit=2&max_id=${made[1].id}`)).toEqual(idsOf(made.slice(2, 4)))
    expect(await listed(joel, said, `?limit=2&min_id=${made[4].id}`)).toEqual(idsOf(made.slice(2, 4)))
    const { headers } = await joel.get(`/api/v1/statuses/${said.id}/quotes?limit=2`)
    expect(headers.get('link')).toContain(`/api/v1/statuses/${said.id}/quotes?limit=2&max_id=${made[1].id}`)
    const whole = await joel.get(`/api/v1/statuses/${said.id}/quotes`)
    expect(whole.headers.get('link')).not.toContain('rel="next"')
    expect((await seen(mara, said)).quotes_count).toBe(5)
    await mara.does('mute', joel)
    expect(await listed(mara, said)).toEqual([])
    await mara.does('unmute', joel)
  })

  test('of what the viewer may not see are missing', async () => {
    const secret = await mara.says('secret', { visibility: 'private' })
    expect((await joel.get(`/api/v1/statuses/${secret.id}/quotes`)).status).toBe(404)
    expect((await joel.get('/api/v1/statuses/1/quotes')).status).toBe(404)
  })

  test('cost the same for one and for many', async () => {
    const said = await mara.says('costs')
    await quotes(joel, said)
    const read = () => joel.get(`/api/v1/statuses/${said.id}/quotes`)
    await read()
    await read()
    const one = world.lastRequest
    for (let number = 0; number < 4; number++) await quotes(joel, said)
    await read()
    await read()
    expect(world.lastRequest).toEqual(one)
  })
})

describe('revoking', () => {
  beforeAll(strangers)

  test('takes a status out of a quote, for everyone and for good', async () => {
    const said = await mara.says('mine')
    const quoting = await quotes(joel, said)
    const answer = await revokes(mara, said, quoting)
    expect(answer).toMatchObject({ status: 200, body: { id: quoting.id, quote: { state: 'revoked', quoted_status: null } } })
    expect((await revokes(mara, said, quoting)).body).toEqual(answer.body)
    for (const reader of [mara, joel, ines, world]) expect(await stateFor(reader, quoting)).toEqual(['revoked', null])
    expect(await listed(mara, said)).toEqual([])
    expect((await seen(mara, said)).quotes_count).toBe(0)
    await joel.asks('DELETE', `/api/v1/statuses/${quoting.id}`)
    expect((await seen(mara, said)).quotes_count).toBe(0)
  })

  test('is its author’s alone', async () => {
    const said = await mara.says('hers')
    const [quoting, other] = [await quotes(joel, said), await joel.says('no quote')]
    expect(await revokes(joel, said, quoting)).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } })
    expect((await revokes(ines, said, quoting)).status).toBe(403)
    expect((await revokes(mara, said, other)).status).toBe(404)
    expect((await revokes(mara, said, { id: '1' })).status).toBe(404)
    const secret = await mara.says('secret', { visibility: 'private' })
    expect((await revokes(joel, secret, quoting)).status).toBe(404)
    expect(await stateFor(ines, quoting)).toEqual(['accepted', said.id])
  })

  test('twice at once counts once', async () => {
    const said = await mara.says('twice')
    const [quoting] = [await quotes(joel, said), await quotes(ines, said)]
    const answers = await Promise.all([revokes(mara, said, quoting), revokes(mara, said, quoting)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await seen(mara, said)).quotes_count).toBe(1)
  })

  test('is live for those who have the quote', async () => {
    const said = await mara.says('live')
    await ines.follows(joel)
    await world.idle()
    const stream = await ines.listens('user')
    const quoting = await quotes(joel, said)
    const update = await stream.hears(({ event, payload }) => event === 'update' && JSON.parse(payload!).id === quoting.id)
    expect(JSON.parse(update.payload!)).toEqual(await seen(ines, quoting))
    await revokes(mara, said, quoting)
    const change = await stream.hears(({ event, payload }) => event === 'status.update' && JSON.parse(payload!).id === quoting.id)
    expect(JSON.parse(change.payload!).quote).toEqual({ state: 'revoked', quoted_status: null })
    await stream.close()
  })

  test('works on a quote by someone who then blocks the author, and shows the author nothing of it', async () => {
    await strangers()
    const said = await mara.says('quoted')
    const quoting = await quotes(joel, said)
    await joel.does('block', mara)
    expect(await stateFor(world, quoting)).toEqual(['accepted', said.id])
    const answer = await revokes(mara, said, quoting)
    expect(`${answer.status} ${answer.text}`).toBe('404 {"error":"Record not found"}')
    expect(await stateFor(world, quoting)).toEqual(['revoked', null])
    expect((await seen(world, said)).quotes_count).toBe(0)
  })
})

describe('live', () => {
  beforeAll(strangers)

  test('each viewer gets the quote as they may see it, at home and on public streams', async () => {
    await ines.does('block', mara)
    const [home, everyone, own] = [await ines.listens('public'), await joel.listens('public'), await mara.listens('public')]
    const said = await mara.says('for all', { quote_approval_policy: 'followers' })
    const quoting = await quotes(joel, said).catch(() => undefined)
    expect(quoting).toBeUndefined()
    await joel.follows(mara)
    const real = await quotes(joel, said)
    const isIt = ({ event, payload }: Json) => event === 'update' && JSON.parse(payload).id === real.id
    const quoteOn = async (stream: typeof home) => JSON.parse((await stream.hears(isIt)).payload!).quote
    expect(await quoteOn(home)).toMatchObject({ state: 'blocked_account', quoted_status: { id: said.id } })
    expect(await quoteOn(everyone)).toMatchObject({
      state: 'accepted',
      quoted_status: { id: said.id, quote_approval: { current_user: 'automatic' } },
    })
    expect(await quoteOn(own)).toMatchObject({ state: 'accepted', quoted_status: { id: said.id } })
    for (const stream of [home, everyone, own]) await stream.close()
    await ines.does('unblock', mara)
  })

  test.each(['public', 'followers', 'nobody'])('who may quote a post for %s says each stream as its reader’s page does', async (policy) => {
    await joel.follows(mara)
    const readers = [
      [mara, 'user'],
      [mara, 'public'],
      [joel, 'user'],
      [joel, 'public'],
      [ines, 'public'],
    ] as const
    const streams = await Promise.all(readers.map(([reader, stream]) => reader.listens(stream)))
    const said = await mara.says('who may?', { quote_approval_policy: policy })
    const edited = () => mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'who may, then?' } })
    for (const [event, act] of [['update'], ['status.update', edited]] as const) {
      await act?.()
      for (const [index, [reader, name]] of readers.entries()) {
        const isIt = (frame: Json) => frame.event === event && JSON.parse(frame.payload).id === said.id
        const heard = JSON.parse((await streams[index]!.hears(isIt)).payload!).quote_approval
        expect([reader.username, name, event, heard]).toEqual([reader.username, name, event, (await seen(reader, said)).quote_approval])
      }
    }
    for (const stream of streams) await stream.close()
    await joel.does('unfollow', mara)
  })
})

describe('notifications', () => {
  beforeAll(strangers)
  const typesOf = async (person: Person) => {
    await world.idle()
    return (await person.notifications()).map(({ type, status, account }: Json) => [type, status?.id, account.id])
  }

  test('tell the author of a quote once, live too; a quote of one’s own no one', async () => {
    const stream = await mara.listens('user:notification')
    const said = await mara.says('notified')
    await quotes(mara, said)
    const quoting = await quotes(joel, said)
    expect(await typesOf(mara)).toEqual([['quote', quoting.id, joel.id]])
    const { payload } = await stream.hears(({ event }) => event === 'notification')
    expect(JSON.parse(payload!)).toMatchObject({ type: 'quote', status: { id: quoting.id, quote: { quoted_status: { id: said.id } } } })
    await stream.close()
    await joel.asks('DELETE', `/api/v1/statuses/${quoting.id}`)
    expect(await typesOf(mara)).toEqual([])
  })

  test('tell those who quote a status of its edits, each with their own', async () => {
    const said = await mara.says('to be edited')
    const [first] = [await quotes(joel, said), await quotes(mara, said)]
    const revoked = await quotes(ines, said)
    await revokes(mara, said, revoked)
    for (const status of ['edited', 'edited again']) await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status } })
    expect(await typesOf(joel)).toEqual([['quoted_update', first.id, mara.id]])
    expect(await typesOf(ines)).toEqual([])
    expect(idsOf((await joel.get('/api/v1/notifications?types[]=quoted_update')).body)).toHaveLength(1)
    expect((await joel.get('/api/v1/notifications?exclude_types[]=quoted_update')).body).toEqual([])
  })

  test('are filtered as the policy says, and open a request', async () => {
    await ines.asks('PATCH', '/api/v2/notifications/policy', { body: { for_not_following: 'filter' } })
    const said = await ines.says('policy')
    await quotes(joel, said)
    expect(await typesOf(ines)).toEqual([])
    expect((await ines.get('/api/v1/notifications/requests')).body).toMatchObject([{ account: { id: joel.id }, notifications_count: '1' }])
  })
})

describe('scheduled', () => {
  beforeAll(strangers)

  test('a status that waits keeps what it quotes and who may quote it, until its time', async () => {
    const said = await mara.says('later')
    const waiting = await schedules(world, joel, 'in an hour', { quoted_status_id: said.id, quote_approval_policy: 'nobody' })
    expect(waiting.params).toMatchObject({ quoted_status_id: said.id, quote_approval_policy: 'nobody' })
    const { body } = await joel.post(`/api/v1/scheduled_statuses/${waiting.id}/publish`)
    expect(body).toMatchObject({ quote: { quoted_status: { id: said.id } }, quote_approval: { automatic: [] } })
  })

  test('a status that waits may have nothing but its quote', async () => {
    const waiting = await schedules(world, joel, '', { quoted_status_id: (await mara.says('wait for it')).id })
    const { body, status } = await joel.asks('PUT', `/api/v1/scheduled_statuses/${waiting.id}`, { body: { quoted_status_id: '' } })
    expect({ status, body }).toEqual({ status: 422, body: { error: "Validation failed: Text can't be blank" } })
  })

  test('one that may not be quoted is refused at once, and at its time becomes a draft without the quote', async () => {
    const said = await mara.says('going')
    const refused = await triesToQuote(joel, { id: '1' }, { scheduled_at: new Date(world.clock.now() + HOUR).toISOString() })
    expect([refused.status, refused.body]).toEqual([404, NOT_QUOTABLE])
    const waiting = await schedules(world, joel, 'in an hour', { quoted_status_id: said.id })
    await sets(mara, said, 'nobody')
    await world.advance(HOUR + 1000)
    await world.idle()
    const { body } = await joel.get(`/api/v1/scheduled_statuses/${waiting.id}`)
    expect(body).toMatchObject({ params: { quoted_status_id: null } })
    expect((await joel.get('/api/v1/scheduled_statuses?drafts=true')).body).toMatchObject([{ id: waiting.id }])
  })

  test('an empty quoted_status_id takes the quote away', async () => {
    const said = await mara.says('changing')
    const waiting = await schedules(world, joel, 'in an hour', { quoted_status_id: said.id })
    const change = (body: object) => joel.asks('PUT', `/api/v1/scheduled_statuses/${waiting.id}`, { body })
    expect((await change({ quoted_status_id: '' })).body.params.quoted_status_id).toBeNull()
    expect((await change({ quoted_status_id: said.id })).body.params.quoted_status_id).toBe(said.id)
    expect((await change({ quoted_status_id: '1' })).status).toBe(404)
  })
})

describe('pages for browsers', () => {
  beforeAll(strangers)
  const visit = async (path: string) => (await world.asks('GET', path, { headers: { accept: 'text/html' } })).text

  test('show what is quoted where everyone may see it', async () => {
    const said = await mara.says('quoted words')
    const quoting = await quotes(joel, said)
    const page = await visit(`/@${joel.username}/${quoting.id}`)
    expect(page).toMatch(/<blockquote class="quoted">[\s\S]*quoted words[\s\S]*<\/blockquote>/)
    expect(page).toContain(`/@${mara.username}/${said.id}`)
    expect(await visit(`/@${joel.username}`)).toContain('quoted words')
    expect(await visit(`/@${joel.username}.rss`)).toContain(`/@${mara.username}/${said.id}`)
    await revokes(mara, said, quoting)
    expect(await visit(`/@${joel.username}/${quoting.id}`)).not.toContain('quoted words')
  })
})
