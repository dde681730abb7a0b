import type { Person, World } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { followsElsewhere, found, inHome, openServers, relationship } from './two-servers.ts'

// Effects of staff actions that another server can see.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World
let owner: Person
/** An account of the other server. */
let reader: Person

beforeAll(async () => {
  servers = await openServers()
  here = servers.here
  there = servers.there
  owner = await here.owner('owner')
  reader = await there.person('reader')
})

afterAll(() => servers?.close())

/** The status of the answer when another server fetches a uri here. */
const answerAt = async (uri: string): Promise<number> =>
  (await here.asks('GET', new URL(uri).pathname, { headers: { accept: 'application/activity+json' } })).status
const copyOf = async (uri: string): Promise<Json> => inHome(reader, uri)
const says = async (person: Person, text: string) => {
  const status = await person.says(text)
  await servers.idle()
  return status
}
/** A local account that the reader follows, with a status that the reader has received. */
const followed = async (name: string) => {
  const person = await here.person(name)
  const account = await followsElsewhere(reader, servers.handle(here, person))
  await servers.idle()
  const status = await says(person, `hello of ${name}`)
  expect(await copyOf(status.uri)).toBeDefined()
  return { person, account, status }
}
const acts = async ({ id }: Person, type: string) => {
  expect((await owner.post(`/api/v1/admin/accounts/${id}/action`, { type })).status).toBe(200)
  await servers.idle()
}

it('a reported status that staff delete is gone there, and is not found at its address', async () => {
  const { person, status } = await followed('reported')
  const other = await says(person, 'no one reported this')
  const { body: report } = await owner.post('/api/v1/reports', { account_id: person.id, status_ids: [status.id] })
  const inside = browser(here)
  await inside.submit(await inside.visit('/admin'), { email: 'owner@example.org', password: 'owner-password' })
  const values = { 'status_ids[0]': status.id, type: 'delete_statuses', text: 'Not here.', resolve: 'true' }
  const asked = await inside.submit(await inside.go(`/admin/reports/${report.id}`), values, 'id="chosen"')
  expect((await inside.submit(asked, {})).status).toBe(200)
  await servers.idle()
  expect(await copyOf(status.uri)).toBeUndefined()
  expect(await copyOf(other.uri)).toBeDefined()
  expect([await answerAt(status.uri), await answerAt(other.uri)]).toEqual([404, 200])
})

it('an account that staff suspend says so at its address alone and gets nothing, until that is taken back', async () => {
  const { person, account, status } = await followed('suspended')
  const addresses = [account.uri, `${account.uri}/outbox`, `${account.uri}/followers`, status.uri]
  const answers = () => Promise.all(addresses.map(answerAt))
  await acts(person, 'suspend')
  expect(await answers()).toEqual([200, 404, 404, 404])
  const actor = JSON.parse(
    (await here.asks('GET', new URL(account.uri).pathname, { headers: { accept: 'application/activity+json' } })).text,
  )
  expect(actor).toMatchObject({ id: account.uri, suspended: true, name: '', summary: '', attachment: [] })
  const mention = await reader.says(`${servers.handle(here, person)} are you there?`)
  await servers.idle()
  await owner.post(`/api/v1/admin/accounts/${person.id}/unsuspend`)
  await servers.idle()
  expect(await answers()).toEqual([200, 200, 200, 200])
  expect((await person.notifications()).map(({ status: about }) => about?.uri)).not.toContain(mention.uri)
  const again = await says(person, 'here again')
  expect(await copyOf(again.uri)).toBeDefined()
})

it('an account that staff suspend is hidden there too, until that is taken back', async () => {
  const { person, account, status } = await followed('hidden')
  await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Hidden Person' } })
  await servers.idle()
  const shown = async () => {
    const { body } = await reader.get(`/api/v1/accounts/${account.id}`)
    return [body.suspended ?? false, body.display_name, (await copyOf(status.uri)) !== undefined]
  }
  expect(await shown()).toEqual([false, 'Hidden Person', true])
  await acts(person, 'suspend')
  expect(await shown()).toEqual([true, '', false])
  await owner.post(`/api/v1/admin/accounts/${person.id}/unsuspend`)
  await servers.idle()
  expect(await shown()).toEqual([false, 'Hidden Person', true])
})

it('an account whose login staff disable stays as it is there', async () => {
  const { person, account, status } = await followed('disabled')
  const addresses = [account.uri, `${account.uri}/outbox`, `${account.uri}/followers`, status.uri]
  await acts(person, 'disable')
  expect(await Promise.all(addresses.map(answerAt))).toEqual([200, 200, 200, 200])
  expect((await copyOf(status.uri))?.account).toMatchObject({ acct: servers.handle(here, person).slice(1) })
  await owner.post(`/api/v1/admin/accounts/${person.id}/enable`)
  await servers.idle()
  expect(await Promise.all(addresses.map(answerAt))).toEqual([200, 200, 200, 200])
})

it('what is posted or edited is sensitive there while staff mark the files of its author as sensitive', async () => {
  const { person, status } = await followed('sensitized')
  await acts(person, 'sensitive')
  expect(await copyOf((await says(person, 'said since')).uri)).toMatchObject({ sensitive: true })
  await person.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: 'edited since' } })
  await servers.idle()
  expect(await copyOf(status.uri)).toMatchObject({ sensitive: true })
  await owner.post(`/api/v1/admin/accounts/${person.id}/unsensitive`)
  expect(await copyOf((await says(person, 'said later')).uri)).toMatchObject({ sensitive: false })
})

it('an account that staff silence goes on as before: followers elsewhere get what it posts', async () => {
  const { person, account, status } = await followed('silenced')
  await acts(person, 'silence')
  const again = await says(person, 'still here')
  expect(await copyOf(again.uri)).toBeDefined()
  expect([await answerAt(account.uri), await answerAt(status.uri)]).toEqual([200, 200])
})

it('a domain that staff suspend gets nothing but that follows ended, is shown nothing that it signs for, and what it sends is refused', async () => {
  const { person, account, status } = await followed('blocking')
  const copy = await copyOf(status.uri)
  const { body } = await owner.post('/api/v1/admin/domain_blocks', { domain: new URL(there.address).hostname, severity: 'suspend' })
  await servers.idle()
  const unseen = await says(person, 'not for them')
  const reply = await reader.says(`${servers.handle(here, person)} hello?`)
  await servers.idle()
  expect(await copyOf(unseen.uri)).toBeUndefined()
  const { body: results } = await reader.get(`/api/v2/search?q=${encodeURIComponent(unseen.uri)}&resolve=true`)
  expect(results.statuses).toEqual([])
  expect((await person.notifications()).map(({ status: about }) => about?.uri)).not.toContain(reply.uri)
  expect((await reader.get(`/api/v1/statuses/${copy.id}`)).status).toBe(200)
  expect(await relationship(reader, account)).toMatchObject({ following: false, requested: false })
  await owner.asks('DELETE', `/api/v1/admin/domain_blocks/${body.id}`)
  await servers.idle()
  await reader.post(`/api/v1/accounts/${account.id}/follow`)
  await servers.idle()
  expect(await relationship(reader, await found(reader, servers.handle(here, person)))).toMatchObject({ following: true })
  const seen = await says(person, 'for them again')
  expect(await copyOf(seen.uri)).toBeDefined()
})
