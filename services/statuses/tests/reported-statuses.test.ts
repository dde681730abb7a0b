import { RemoteStatusesDefinition, ReportsDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { adminReport } from '@rookery/test-world/admin-shapes'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { anonymousStatus } from '@rookery/test-world/contract'
import { said, stranger } from '@rookery/test-world/elsewhere'
import { query, runJob } from '@rookery/test-world/queries'
import { uploads } from '@rookery/test-world/scheduling'
import { faultsIn, listOf } from '@rookery/test-world/shape'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What a report names stays for staff as it was when it was reported, also after its author deleted or edited it.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const DAY = 86_400_000
const PATH = '/api/v1/admin/reports'

let world: World
let moderator: Person
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'read admin:read admin:write' })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const reports = async (by: Person, target: { id: string }, ...statuses: { id: string }[]): Promise<string> => {
  const body = { account_id: target.id, status_ids: statuses.map(({ id }) => id) }
  const { status, body: report } = await by.post('/api/v1/reports', body)
  expect(status).toBe(200)
  return report.id
}
const read = async (reportId: string): Promise<Json> => (await moderator.get(`${PATH}/${reportId}`)).body
const resolves = (reportId: string) => moderator.post(`${PATH}/${reportId}/resolve`)
const deletes = async (by: Person, { id }: { id: string }) => {
  expect((await by.asks('DELETE', `/api/v1/statuses/${id}`)).status).toBe(200)
  await world.idle()
}
const edits = async (by: Person, { id }: { id: string }, status: string) =>
  expect((await by.asks('PUT', `/api/v1/statuses/${id}`, { body: { status } })).status).toBe(200)
const textsOf = (statuses: Json[]) => statuses.map(({ content }) => content)
const copiesOf = async (reportId: string) =>
  (await query(world, 'select copy_id from statuses.reported_status where report_id = $1', [reportId])).length
const copiesOfStatus = async ({ id }: { id: string }) =>
  (await query(world, 'select id from statuses.status_copy where status_id = $1', [id])).length
const forget = () => runJob(world, 'forget-reported-statuses')

test('what a report names is shown to staff with its warning, time and poll after its author deleted it', async () => {
  const poll = await joel.says(`which, @${mara.username}?`, {
    visibility: 'direct',
    poll: { options: ['mine', 'my tea'], expires_in: 3600 },
  })
  const hidden = await joel.says(`@${mara.username} buy!`, { visibility: 'direct' })
  const open = await joel.says('buy in public', { spoiler_text: 'ads', language: 'en', media_ids: [await uploads(joel)] })
  await mara.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: ['1'] })
  const id = await reports(mara, joel, poll, hidden, open)
  const before = await read(id)
  expect(before).toMatchObject({ deleted_status_ids: [], edited_statuses: [] })
  for (const status of [poll, hidden, open]) await deletes(joel, status)
  const report = await read(id)
  expect(faultsIn(report, adminReport)).toEqual([])
  expect(faultsIn(report.statuses, listOf(anonymousStatus))).toEqual([])
  expect(report.deleted_status_ids).toEqual([poll.id, hidden.id, open.id])
  expect(textsOf(report.statuses)).toEqual(textsOf(before.statuses))
  expect(report.statuses[0].poll).toMatchObject({ options: [{ title: 'mine' }, { title: 'my tea' }] })
  expect(report.statuses[0].poll).not.toHaveProperty('own_votes')
  expect(report.statuses[2]).toMatchObject({
    ...{ id: open.id, spoiler_text: 'ads', language: 'en', created_at: open.created_at, visibility: 'public' },
    account: { id: joel.id },
    media_attachments: [{ type: 'unknown', url: null, preview_url: null, remote_url: null }],
  })
  expect((await moderator.get(PATH)).body[0]).toEqual(report)
})

test('a file of a deleted status is shown by its description alone', async () => {
  const file = await uploads(joel)
  await joel.asks('PUT', `/api/v1/media/${file}`, { body: { description: 'a dot' } })
  const status = await joel.says('see', { media_ids: [file] })
  const id = await reports(mara, joel, status)
  await deletes(joel, status)
  expect((await read(id)).statuses[0].media_attachments).toMatchObject([{ type: 'unknown', url: null, description: 'a dot' }])
})

test('each report shows what it was filed about, also where the status was edited in between, and what is there now', async () => {
  const status = await joel.says('first')
  const first = await reports(mara, joel, status)
  world.clock.advance(1000)
  await edits(joel, status, 'second')
  const second = await reports(mara, joel, status)
  world.clock.advance(1000)
  await edits(joel, status, 'harmless')
  for (const [id, said] of [
    [first, '<p>first</p>'],
    [second, '<p>second</p>'],
  ] as const) {
    const report = await read(id)
    expect([textsOf(report.statuses), report.deleted_status_ids, textsOf(report.edited_statuses)]).toEqual([
      ['<p>harmless</p>'],
      [],
      [said],
    ])
  }
  await deletes(joel, status)
  for (const [id, said] of [
    [first, '<p>first</p>'],
    [second, '<p>second</p>'],
  ] as const) {
    const report = await read(id)
    expect([textsOf(report.statuses), report.deleted_status_ids, report.edited_statuses]).toEqual([[said], [status.id], []])
  }
})

test('a status that is deleted and written again stays in the report as it was', async () => {
  const status = await joel.says('rude')
  const id = await reports(mara, joel, status)
  await deletes(joel, status)
  const again = await joel.says('polite')
  expect(textsOf((await read(id)).statuses)).toEqual(['<p>rude</p>'])
  expect((await joel.get(`/api/v1/statuses/${again.id}`)).body.content).toBe('<p>polite</p>')
})

test('a reported status that is deleted is missing everywhere else, also to staff', async () => {
  const status = await joel.says('pineapple')
  const id = await reports(mara, joel, status)
  const count = (await mara.get(`/api/v1/accounts/${joel.id}`)).body.statuses_count
  await deletes(joel, status)
  for (const person of [mara, joel, moderator])
    for (const path of ['', '/context', '/history', '/source', '/card'])
      expect([path, (await person.get(`/api/v1/statuses/${status.id}${path}`)).status]).toEqual([path, 404])
  expect((await mara.get(`/api/v1/accounts/${joel.id}`)).body.statuses_count).toBe(count - 1)
  expect((await joel.get('/api/v2/search?q=pineapple&type=statuses')).body.statuses).toEqual([])
  expect((await moderator.get(`/api/v1/accounts/${joel.id}/statuses`)).body.map((each: Json) => each.id)).not.toContain(status.id)
  for (const person of [mara, joel]) expect((await person.get(`${PATH}/${id}`)).status).toBe(403)
})

test('what its server deletes stays in the report', async () => {
  const ann = await stranger(world, 'ann')
  const { id: statusId, uri } = await said(world, ann, 'spam from far')
  const id = await reports(mara, ann, { id: statusId })
  await innerClient(world, RemoteStatusesDefinition).delete(innerCall(), { uri, authorId: ann.id })
  expect(await read(id)).toMatchObject({
    statuses: [{ id: statusId, uri, content: '<p>spam from far</p>' }],
    deleted_status_ids: [statusId],
  })
})

test('is kept until thirty days after the report was resolved, for each report by itself', async () => {
  const status = await joel.says('kept')
  const resolved = await reports(mara, joel, status)
  const open = await reports(mara, joel, status)
  expect(await copiesOfStatus(status)).toBe(1)
  await deletes(joel, status)
  await resolves(resolved)
  world.clock.advance(30 * DAY - 60_000)
  await forget()
  expect([await copiesOf(resolved), await copiesOf(open)]).toEqual([1, 1])
  world.clock.advance(2 * 60_000)
  await forget()
  expect([await copiesOf(resolved), await copiesOf(open)]).toEqual([0, 1])
  expect(await read(resolved)).toMatchObject({ statuses: [], deleted_status_ids: [] })
  expect(textsOf((await read(open)).statuses)).toEqual(['<p>kept</p>'])
  await resolves(open)
  world.clock.advance(30 * DAY + 60_000)
  await forget()
  expect(await copiesOfStatus(status)).toBe(0)
})

test('is gone with the account of its author', async () => {
  const gone = await world.person('gone')
  const status = await gone.says('until I leave')
  const id = await reports(mara, gone, status)
  await deletes(gone, status)
  expect(await copiesOf(id)).toBe(1)
  await world.operator().deleteAccount(innerCall(), { username: 'gone' })
  await runJob(world, 'remove-closed-accounts')
  await forget()
  expect([await copiesOf(id), await copiesOfStatus(status)]).toEqual([0, 0])
  expect((await moderator.get(`${PATH}/${id}`)).status).toBe(404)
})

test('is kept of a report that is filed while copies that no report needs are deleted', async () => {
  const status = await joel.says('named again and again')
  const ids: string[] = []
  for (let round = 0; round < 5; round++) {
    const id = await reports(mara, joel, status)
    await query(world, 'delete from statuses.report where id = $1', [id])
    const [again] = await Promise.all([reports(mara, joel, status), forget()])
    ids.push(again)
    await query(world, 'delete from statuses.report where id = any($1) and id <> $2', [ids, again])
  }
  await deletes(joel, status)
  expect(textsOf((await read(ids.at(-1)!)).statuses)).toEqual(['<p>named again and again</p>'])
})

test('what another server reports is kept as well', async () => {
  const gus = await stranger(world, 'gus')
  const status = await joel.says('reported from far')
  const report = {
    viewerId: gus.id,
    accountId: joel.id,
    statusIds: [status.id],
    comment: '',
    category: 'spam',
    ruleIds: [],
    forward: false,
  }
  const { reports: filed } = await innerClient(world, ReportsDefinition).file(innerCall(), report)
  await deletes(joel, status)
  expect(textsOf((await read(filed[0]!.id)).statuses)).toEqual(['<p>reported from far</p>'])
})
