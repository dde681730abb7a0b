import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { runJob } from '@rookery/test-world/queries'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Files of suspended people, from the act of staff or an operator to the answer for a file (docs/operations.md).

const HOUR = 3_600_000
const PATH = '/api/v1/admin/accounts'

let world: World
let owner: Person
let people = 0
beforeAll(async () => {
  world = await World.open()
  owner = await world.owner('owner')
})
afterAll(() => world.close())

const formOf = async (name: string, background: string) => {
  const bytes = await sharp({ create: { width: 700, height: 700, channels: 3, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set(name, new File([new Uint8Array(bytes)], 'picture.png', { type: 'image/png' }))
  return form
}

/** The URLs of a person's picture in a post, avatar, header and unattached file. */
const someone = async () => {
  const person = await world.person(`someone_${++people}`)
  const upload = async () => (await person.asks('POST', '/api/v2/media', { body: await formOf('file', '#00f') })).body
  const [shown, unattached] = [await upload(), await upload()]
  await person.says('a picture', { media_ids: [shown.id] })
  for (const name of ['avatar', 'header'])
    await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: await formOf(name, '#0f0') })
  const { avatar, header } = (await person.get('/api/v1/accounts/verify_credentials')).body
  await world.idle()
  return { person, files: [shown.url, shown.preview_url, unattached.url, unattached.preview_url, avatar, header] as string[] }
}

const ask = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(new URL(new URL(url).pathname, world.origin), init)
  await response.arrayBuffer()
  return response.status
}
const statusesOf = (files: readonly string[]) => Promise.all(files.map((url) => ask(url)))
const all = (files: readonly string[], status: number) => files.map(() => status)

test('staff suspend someone: their files are missing until that is taken back, those of others never', async () => {
  const [{ person, files }, other] = [await someone(), await someone()]
  expect(await statusesOf(files)).toEqual(all(files, 200))
  expect(await owner.post(`${PATH}/${person.id}/action`, { type: 'suspend' })).toMatchObject({ status: 200 })
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 404))
  expect(await ask(files[0]!, { method: 'HEAD' })).toBe(404)
  expect(await ask(files[0]!, { headers: { Range: 'bytes=0-9' } })).toBe(404)
  expect(await statusesOf(other.files)).toEqual(all(other.files, 200))
  expect(await owner.post(`${PATH}/${person.id}/unsuspend`)).toMatchObject({ status: 200 })
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 200))
  expect(await ask(files[0]!, { headers: { Range: 'bytes=0-9' } })).toBe(206)
})

test('so does an operator', async () => {
  const { person, files } = await someone()
  await world.operator().setSuspended(innerCall(), { username: person.username, isSuspended: true })
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 404))
  await world.operator().setSuspended(innerCall(), { username: person.username, isSuspended: false })
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 200))
})

test('other acts change nothing of their files', async () => {
  const { person, files } = await someone()
  for (const type of ['silence', 'sensitive', 'disable']) await owner.post(`${PATH}/${person.id}/action`, { type })
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 200))
})

test('a suspended account is deleted with its files', async () => {
  const { person, files } = await someone()
  await owner.post(`${PATH}/${person.id}/action`, { type: 'suspend' })
  expect(await owner.asks('DELETE', `${PATH}/${person.id}`)).toMatchObject({ status: 200 })
  // The statuses of an account go first, and the rest once homes are without them.
  for (const milliseconds of [0, HOUR]) await world.advance(milliseconds)
  expect(await statusesOf(files)).toEqual(all(files, 404))
  expect(await world.query('select from media.attachment where owner_id = $1', [person.id])).toEqual([])
})

test('all who are suspended are published again, and no one else', async () => {
  const rows = () => world.query('select owner_id from media.withheld_owner where is_withheld')
  await world.query('delete from media.withheld_owner')
  await world.query(`
    create table public.as_it_was as select id from statuses.account where is_suspended and domain is null and closed_at is null`)
  await world.query(`
    insert into statuses.account (id, username, created_at, is_active, is_suspended, is_silenced, domain, uri, closed_at)
    select 1000 + n, 'many_' || n, now(), true, n <= 1001, true, case when n = 1001 then 'elsewhere.example' end,
      case when n = 1001 then 'https://elsewhere.example/many' end, case when n = 1000 then now() end
    from generate_series(1, 1010) n`)
  await runJob(world, 'publish-suspended')
  await world.idle()
  const [{ before }] = await world.query('select count(*)::int before from public.as_it_was')
  expect(await rows()).toHaveLength(before + 999)
  await world.query('delete from statuses.account where id between 1001 and 2010')
})

test('files of people who were suspended before media kept that are withheld after a night', async () => {
  const { person, files } = await someone()
  await owner.post(`${PATH}/${person.id}/action`, { type: 'suspend' })
  await world.idle()
  await world.query('delete from media.withheld_owner')
  await world.advance(5000)
  expect(await statusesOf(files)).toEqual(all(files, 200))
  await runJob(world, 'publish-suspended')
  await world.idle()
  expect(await statusesOf(files)).toEqual(all(files, 404))
})
