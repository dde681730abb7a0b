import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let people = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const DAY = 86_400_000
const PATH = '/api/v1/accounts/update_credentials'
const newPerson = () => world.person(`profile_${++people}`)
const update = (person: Person, body: unknown) => person.asks('PATCH', PATH, { body })
const own = async (person: Person) => (await person.get('/api/v1/accounts/verify_credentials')).body

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const pictures = (...names: string[]) => {
  const form = new FormData()
  for (const name of names) form.set(name, new File([PICTURE], 'a.png', { type: 'image/png' }))
  return form
}

describe('update_credentials', () => {
  test('keeps every value that clients set', async () => {
    const person = await newPerson()
    expect(await own(person)).toMatchObject({
      source: { quote_policy: 'public', attribution_domains: [], privacy: 'public', sensitive: false, language: null },
    })
    const answer = await update(person, {
      locked: 'true',
      bot: '1',
      discoverable: 'on',
      indexable: true,
      hide_collections: true,
      attribution_domains: ['Example.org', 'example.org', 'https://news.example.org/', 'http://*.birds.example', ' '],
      source: { quote_policy: 'followers', privacy: 'private', sensitive: true, language: 'pt-BR' },
    })
    expect(answer.status).toBe(200)
    const flags = { discoverable: true, indexable: true, hide_collections: true }
    expect(answer.body).toMatchObject({
      locked: true,
      bot: true,
      noindex: false,
      ...flags,
      source: {
        ...flags,
        quote_policy: 'followers',
        attribution_domains: ['example.org', 'news.example.org', 'birds.example'],
        privacy: 'private',
        sensitive: true,
        language: 'pt-BR',
      },
    })
    expect(await own(person)).toEqual(answer.body)
    expect((await update(person, { attribution_domains: [] })).body.source.attribution_domains).toEqual([])
    expect((await own(person)).source.quote_policy).toBe('followers')
  })

  const FIELDS = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]
  test.each<[string, unknown]>([
    ['a form', 'fields_attributes[0][name]=a&fields_attributes[0][value]=1&fields_attributes[7][name]=b&fields_attributes[7][value]=2'],
    [
      'a form without numbers',
      'fields_attributes[][name]=a&fields_attributes[][value]=1&fields_attributes[][name]=b&fields_attributes[][value]=2',
    ],
    ['a JSON array', { fields_attributes: FIELDS }],
    ['a JSON object', { fields_attributes: { 0: FIELDS[0], 1: FIELDS[1] } }],
    ['a list with something else in it', { fields_attributes: ['junk', ...FIELDS, 7] }],
  ])('takes fields from %s', async (_name, body) => {
    const person = await newPerson()
    const isForm = typeof body === 'string'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = isForm ? await person.asks('PATCH', PATH, { body, headers }) : await update(person, body)
    expect(answer.body.source.fields).toEqual(FIELDS.map((field) => ({ ...field, verified_at: null })))
    for (const junk of ['junk', 7, true, ['junk'], null]) expect((await update(person, { fields_attributes: junk })).status).toBe(200)
    expect((await own(person)).fields).toHaveLength(2)
    expect((await update(person, { fields_attributes: [] })).body.fields).toEqual([])
  })

  const tooLong = (max: number) => ({ error: 'ERR_TOO_LONG', description: `is too long (maximum is ${max} characters)` })
  test.each<[object, object]>([
    [{ display_name: 'x'.repeat(31) }, { display_name: [tooLong(30)] }],
    [{ note: 'x'.repeat(501) }, { note: [tooLong(500)] }],
    [{ fields_attributes: [{ name: 'n'.repeat(256), value: 'v'.repeat(256) }] }, { fields: [tooLong(255), tooLong(255)] }],
    [{ fields_attributes: [{ name: '', value: 'v' }] }, { fields: [{ error: 'ERR_BLANK', description: "can't be blank" }] }],
    [{ source: { quote_policy: 'all' } }, { quote_policy: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }] }],
    [{ source: { language: 'xx-nonsense' } }, { language: [{ error: 'ERR_INCLUSION', description: 'is not included in the list' }] }],
    [
      { attribution_domains: Array.from({ length: 11 }, (_, index) => `d${index}.example`) },
      { attribution_domains: [{ error: 'ERR_TOO_LONG', description: 'are too many (maximum is 10)' }] },
    ],
    [
      { attribution_domains: ['https://example.org/birds'] },
      { attribution_domains: [{ error: 'ERR_INVALID', description: 'is not a valid domain name' }] },
    ],
  ])('says by parameter what is wrong: %#', async (body, details) => {
    const person = await newPerson()
    const before = await own(person)
    const answer = await update(person, body)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatch(/^Validation failed: /)
    expect(answer.body.details).toEqual(details)
    expect(await own(person)).toEqual(before)
  })

  test('names every fault at once', async () => {
    const answer = await update(await newPerson(), { display_name: 'x'.repeat(31), attribution_domains: ['no domain'] })
    expect(answer.body.error).toBe(
      'Validation failed: Display name is too long (maximum is 30 characters), Attribution domains is not a valid domain name',
    )
  })
})

describe('pictures', () => {
  const files = (person: Person) =>
    query(world, 'select purpose, expires_at from media.attachment where owner_id = $1 order by purpose', [person.id])
  const isServed = async (url: string) => (await fetch(url)).status === 200

  test('take the place of those before, whose files go', async () => {
    const person = await newPerson()
    const first = (await update(person, pictures('avatar', 'header'))).body
    const second = (await update(person, pictures('avatar'))).body
    expect(second.avatar).not.toBe(first.avatar)
    expect(second.header).toBe(first.header)
    await world.advance(0)
    expect(await files(person)).toEqual([
      { purpose: 'avatar', expires_at: null },
      { purpose: 'header', expires_at: null },
    ])
    expect([await isServed(first.avatar), await isServed(second.avatar), await isServed(second.header)]).toEqual([false, true, true])
    await world.advance(30 * DAY)
    expect([await isServed(second.avatar), await isServed(second.header)]).toEqual([true, true])
  })

  test.each(['avatar', 'header'] as const)('are taken away by DELETE: %s', async (kind) => {
    const person = await newPerson()
    const before = (await update(person, pictures('avatar', 'header'))).body
    const missing = `${world.origin}/${kind}s/original/missing.png`
    for (let time = 0; time < 2; time++) {
      const answer = await person.asks('DELETE', `/api/v1/profile/${kind}`)
      expect([answer.status, answer.body[kind], answer.body[`${kind}_static`]]).toEqual([200, missing, missing])
      expect(answer.body.source).toBeDefined()
    }
    const other = kind === 'avatar' ? 'header' : 'avatar'
    await world.advance(0)
    expect((await world.get(`/api/v1/accounts/${person.id}`)).body).toMatchObject({ [kind]: missing, [other]: before[other] })
    expect([await isServed(before[kind]), await isServed(before[other])]).toEqual([false, true])
    expect(await files(person)).toHaveLength(1)
  })

  test('that cannot be read are named by their parameter', async () => {
    const form = new FormData()
    form.set('header', new File(['text'], 'a.png', { type: 'image/png' }))
    const answer = await update(await newPerson(), form)
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        error: 'Validation failed: File content type is invalid, File is invalid',
        details: { header: [{ error: 'ERR_INVALID', description: 'File content type is invalid, File is invalid' }] },
      },
    ])
  })

  test('whose update was never written go by themselves', async () => {
    const person = await newPerson()
    // As if the process died between taking the file and writing the profile: no one hears that it is shown.
    await query(world, 'create function lose() returns trigger language plpgsql as $$ begin return null; end $$')
    await query(world, 'create trigger lose before insert on statuses.outbox for each row execute function lose()')
    expect((await update(person, pictures('avatar'))).status).toBe(200)
    await query(world, 'drop trigger lose on statuses.outbox')
    expect(await files(person)).toHaveLength(1)
    await world.advance(8 * DAY)
    await query(world, `select media_jobs.add_job('reap-attachments')`)
    await world.advance(0)
    expect(await files(person)).toEqual([])
  })

  test('of ten changes at once leave one file', async () => {
    const person = await newPerson()
    const answers = await Promise.all(Array.from({ length: 10 }, () => update(person, pictures('avatar'))))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    await world.advance(0)
    expect(await files(person)).toEqual([{ purpose: 'avatar', expires_at: null }])
    expect(await isServed((await own(person)).avatar)).toBe(true)
  })
})

describe('the profile as its owner edits it', () => {
  test('is as typed, has no pictures but those that were set, and changes as update_credentials does', async () => {
    const person = await newPerson()
    expect((await person.get('/api/v1/profile')).body).toEqual({
      id: person.id,
      display_name: '',
      note: '',
      fields: [],
      avatar: null,
      avatar_static: null,
      header: null,
      header_static: null,
      locked: false,
      bot: false,
      hide_collections: null,
      discoverable: null,
      indexable: false,
      show_media: true,
      show_media_replies: true,
      show_featured: true,
      attribution_domains: [],
    })
    const body = { display_name: 'Mara', note: 'tea & cake', fields_attributes: [{ name: 'tea', value: 'a < b' }], show_media: 'false' }
    const changed = await person.asks('PUT', '/api/v1/profile', { body })
    expect(changed).toMatchObject({
      status: 200,
      body: {
        display_name: 'Mara',
        note: 'tea & cake',
        fields: [{ name: 'tea', value: 'a < b', verified_at: null }],
        show_media: false,
        show_featured: true,
      },
    })
    expect((await own(person)).note).toBe('<p>tea &amp; cake</p>')
    const pictured = (await person.asks('PATCH', '/api/v1/profile', { body: pictures('avatar') })).body
    expect(pictured).toMatchObject({ avatar: (await own(person)).avatar, header: null, show_media: false })
    expect((await person.get('/api/v1/profile')).body).toEqual(pictured)
  })

  test('holds to the same limits', async () => {
    const person = await newPerson()
    expect(await person.asks('PATCH', '/api/v1/profile', { body: { display_name: 'x'.repeat(31) } })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Display name is too long (maximum is 30 characters)' },
    })
  })
})

test('identity proofs are none, of people who are there', async () => {
  const person = await newPerson()
  const answer = await person.get(`/api/v1/accounts/${person.id}/identity_proofs`)
  expect([answer.status, answer.text]).toEqual([200, '[]'])
  expect((await person.get('/api/v1/accounts/1/identity_proofs')).status).toBe(404)
})

test('a suspended account is there, and blank', async () => {
  const person = await newPerson()
  await update(person, { display_name: 'Somebody', note: 'text', fields_attributes: [{ name: 'a', value: 'b' }] })
  await update(person, { locked: true, bot: true, discoverable: true, indexable: true })
  await update(person, pictures('avatar', 'header'))
  await world.operator().setSuspended(innerCall(), { username: person.username, isSuspended: true })
  const answer = await world.get(`/api/v1/accounts/${person.id}`)
  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({
      suspended: true,
      display_name: '',
      note: '',
      locked: false,
      bot: false,
      discoverable: false,
      indexable: false,
      noindex: true,
      fields: [],
      emojis: [],
      roles: [],
      avatar: `${world.origin}/avatars/original/missing.png`,
      header: `${world.origin}/headers/original/missing.png`,
    }),
  ])
})

test('the posts of a suspended account are an empty page that leads nowhere', async () => {
  const person = await newPerson()
  const { id } = await person.says('before')
  await person.post(`/api/v1/statuses/${id}/pin`)
  await world.operator().setSuspended(innerCall(), { username: person.username, isSuspended: true })
  for (const query of ['', '?pinned=true', '?limit=1']) {
    const answer = await world.get(`/api/v1/accounts/${person.id}/statuses${query}`)
    expect([answer.status, answer.text, answer.headers.get('link')]).toEqual([200, '[]', null])
  }
})

test('a bio loses the space and lines around it', async () => {
  const { body } = await update(await newPerson(), { note: '\n  I post birds. \n\nDaily.  \n ' })
  expect([body.note, body.source.note]).toEqual(['<p>I post birds. </p><p>Daily.</p>', 'I post birds. \n\nDaily.'])
})
