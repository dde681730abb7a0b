import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
beforeAll(async () => {
  world = await World.open()
  mara = await world.person('Mara')
})
afterAll(() => world.close())

const update = (person: Person, body: unknown) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })

describe('update_credentials', () => {
  test('changes what is given, keeps the rest, and is seen at once by everyone', async () => {
    const fields = [
      { name: ' web ', value: 'https://example.org' },
      { name: '', value: '' },
    ]
    const answer = await update(mara, {
      display_name: ' Mara M ',
      note: 'I like #tea',
      bot: true,
      discoverable: true,
      fields_attributes: fields,
      source: { privacy: 'unlisted', sensitive: true, language: 'de' },
    })
    expect(answer.body).toMatchObject({
      display_name: 'Mara M',
      bot: true,
      discoverable: true,
      fields: [{ name: 'web', value: expect.stringContaining('rel="nofollow noopener me"'), verified_at: null }],
      source: {
        privacy: 'unlisted',
        sensitive: true,
        language: 'de',
        note: 'I like #tea',
        fields: [{ name: 'web', value: 'https://example.org', verified_at: null }],
      },
    })
    expect(answer.body.note).toContain(`href="${world.origin}/tags/tea"`)
    expect((await update(mara, { locked: true })).body).toMatchObject({ display_name: 'Mara M', locked: true, bot: true })
    expect((await world.get(`/api/v1/accounts/${mara.id}`)).body).toMatchObject({ display_name: 'Mara M', locked: true })
    expect((await world.get(`/api/v1/accounts/${mara.id}`)).body).not.toHaveProperty('source')
    const said = await mara.says('hello')
    await update(mara, { display_name: 'M' })
    expect((await world.get(`/api/v1/statuses/${said.id}`)).body.account.display_name).toBe('M')
    expect((await update(mara, { source: { language: '' }, fields_attributes: { 0: { name: 'a', value: 'b' } } })).body).toMatchObject({
      source: { language: null },
      fields: [{ name: 'a', value: 'b' }],
    })
  })

  const field = (name: string, value: string) => ({ fields_attributes: [{ name, value }] })
  test.each<[string, object, object]>([
    [
      'Display name is too long (maximum is 30 characters)',
      { display_name: '👨‍👩‍👧‍👦'.repeat(31) },
      { display_name: '👨‍👩‍👧‍👦'.repeat(30) },
    ],
    ['Note is too long (maximum is 500 characters)', { note: 'x'.repeat(501) }, { note: 'x'.repeat(500) }],
    [
      'Fields are too many (maximum is 4)',
      { fields_attributes: Array(5).fill({ name: 'n', value: 'v' }) },
      { fields_attributes: Array(4).fill({ name: 'n', value: 'v' }) },
    ],
    ['Fields name is too long (maximum is 255 characters)', field('n'.repeat(256), 'v'), field('n'.repeat(255), 'v')],
    ['Fields value is too long (maximum is 255 characters)', field('n', 'v'.repeat(256)), field('n', 'v'.repeat(255))],
    ["Fields name can't be blank", field(' ', 'v'), field('n', '')],
    ['Privacy is not included in the list', { source: { privacy: 'direct' } }, { source: { privacy: 'private' } }],
    ['Privacy is not included in the list', { source: { privacy: 'constructor' } }, { source: { privacy: 'public' } }],
    ['Language is not included in the list', { source: { language: 'no language' } }, { source: { language: 'en' } }],
    ['Language is not included in the list', { source: { language: 'xx-nonsense' } }, { source: { language: '' } }],
  ])('refuses past the limit: %s', async (fault, bad, good) => {
    const before = (await mara.get('/api/v1/accounts/verify_credentials')).body
    const answer = await update(mara, bad)
    expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${fault}`])
    expect((await mara.get('/api/v1/accounts/verify_credentials')).body).toEqual(before)
    expect((await update(mara, good)).status).toBe(200)
  })

  const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const DATA_URI = `data:image/png;base64,${PICTURE}`
  const formWith = (avatar: File | string) => {
    const form = new FormData()
    form.set('avatar', avatar)
    return form
  }

  test.each([
    ['as parts of a form', formWith(new File([Buffer.from(PICTURE, 'base64')], 'a.png', { type: 'image/png' }))],
    ['as data URIs in JSON', { avatar: DATA_URI }],
    ['as data URIs in a form', formWith(DATA_URI)],
  ])('takes pictures, %s', async (_case, body) => {
    await mara.asks('DELETE', '/api/v1/profile/avatar')
    const answer = await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
    expect(answer.status).toBe(200)
    expect(answer.body.avatar).toMatch(new RegExp(`^${world.origin}/media/`))
    expect(answer.body.header).toBe(`${world.origin}/headers/original/missing.png`)
    expect((await fetch(answer.body.avatar)).status).toBe(200)
    expect((await world.get(`/api/v1/accounts/${mara.id}`)).body.avatar).toBe(answer.body.avatar)
  })
})

test('lookup finds local people by any spelling of their handle', async () => {
  const host = new URL(world.origin).host
  for (const acct of ['Mara', 'mara', '@MARA', `mara@${host}`, `@mara@${host}`]) {
    expect((await world.get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`)).body.id).toBe(mara.id)
  }
  for (const acct of ['nobody', 'mara@elsewhere.example', 'a@b@c', '@']) {
    const answer = await world.get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`)
    expect([acct, answer.status, answer.body]).toEqual([acct, 404, { error: 'Record not found' }])
  }
  expect((await world.get('/api/v1/accounts/lookup')).status).toBe(400)
})

test('ids that are unknown or no numbers are missing records', async () => {
  for (const id of ['1', '0', 'x', '-1', '1.5', '9'.repeat(19), '9'.repeat(40), '%00', "1'"]) {
    for (const rest of ['', '/statuses', '/followers', '/following']) {
      const answer = await world.get(`/api/v1/accounts/${id}${rest}`)
      expect([id + rest, answer.status]).toEqual([id + rest, id === '%00' ? expect.toBeOneOf([400, 404]) : 404])
    }
  }
})
