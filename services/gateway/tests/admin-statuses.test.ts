import { ModerationDefinition, RemoteStatusesDefinition } from '@rookery/contracts/statuses'
import { type Browser, type PageAnswer, type Person, STAFF_SCOPES, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { said, statusBy, stranger } from '@rookery/test-world/elsewhere'
import { letterText, startMailServer } from '@rookery/test-world/outside'
import { browser } from '@rookery/test-world/page-browser'
import { keepEvents } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Acts of staff on posts: deleting them or marking them as sensitive, from a report or from an account's list of posts.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let eventsOf: Awaited<ReturnType<typeof keepEvents>>
let owner: Person
let reporter: Person
let moderator: Browser
let people = 0

const signsIn = async (username: string) => {
  const inside = browser(world)
  await inside.submit(await inside.visit('/admin'), { email: `${username}@example.org`, password: `${username}-password` })
  return inside
}

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({ settings: { SMTP_URL: mail.url.reveal(), CONFIRMATION: 'automatic' } })
  owner = await world.person('owner', { role: 'owner', scopes: STAFF_SCOPES })
  await world.person('moderator', { role: 'moderator', scopes: STAFF_SCOPES })
  reporter = await world.person('reporter')
  moderator = await signsIn('moderator')
  eventsOf = await keepEvents(world)
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const someone = () => world.person(`someone_${++people}`)
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)">([^<]*)/.exec(text)?.[1]
const ids = (statuses: readonly { id: string }[]) => Object.fromEntries(statuses.map(({ id }, index) => [`status_ids[${index}]`, id]))
const files = async (account: { id: string }, statuses: readonly { id: string }[]): Promise<string> => {
  const body = { account_id: account.id, status_ids: statuses.map(({ id }) => id) }
  return (await reporter.post('/api/v1/reports', body)).body.id
}
const report = async (id: string): Promise<Json> => (await owner.get(`/api/v1/admin/reports/${id}`)).body
const statusOf = async (id: string) => (await reporter.get(`/api/v1/statuses/${id}`)).status
const warnings = async (person: Person): Promise<Json[]> => {
  await world.idle()
  return (await person.notifications('?types[]=moderation_warning')).map((each: Json) => each.moderation_warning)
}
const acts = async (page: PageAnswer, statuses: readonly { id: string }[], values: Record<string, string>, by = moderator) =>
  by.submit(page, { ...ids(statuses), ...values }, 'id="chosen"')
const DELETE = { form_confirmed: 'true', type: 'delete_statuses', text: 'Not here.', send_email_notification: 'true', resolve: 'true' }

describe('reported posts', () => {
  test('that are chosen are deleted with a text: mail, notification, log and the report say so; the others stay', async () => {
    const person = await someone()
    const posts = [await person.says('spam one'), await person.says('spam two'), await person.says('fine', { visibility: 'private' })]
    const reportId = await files(person, posts.slice(0, 2))
    const page = await moderator.go(`/admin/reports/${reportId}`)
    for (const { id } of posts.slice(0, 2)) expect(page.text).toContain(`form="chosen" name="status_ids[]" value="${id}"`)
    const done = await acts(page, posts.slice(0, 2), DELETE)
    expect([done.status, notice(done)]).toEqual([200, 'Done.'])
    expect(await Promise.all(posts.slice(0, 2).map(({ id }) => statusOf(id)))).toEqual([404, 404])
    expect((await person.get(`/api/v1/statuses/${posts[2]!.id}`)).status).toBe(200)
    expect(await report(reportId)).toMatchObject({ action_taken: true, action_taken_by_account: { username: 'moderator' } })
    const status_ids = posts.slice(0, 2).map(({ id }) => id)
    expect(await warnings(person)).toMatchObject([{ action: 'delete_statuses', text: 'Not here.', status_ids }])
    await world.advance(0)
    const letters = mail.letters.filter(({ to }) => to[0] === `${person.username}@example.org`).map(letterText)
    expect(letters).toEqual([expect.stringContaining('Not here.')])
    expect(letters[0]).toContain('deleted posts of yours')
    const log = (await world.operator().listActs(innerCall(), { page: { limit: 5 } })).acts
    const act = { action: 'delete_statuses', staffUsername: 'moderator', accountId: person.id, reportId, text: 'Not here.' }
    expect(log).toContainEqual(expect.objectContaining({ ...act, target: status_ids.join(' ') }))
    // Other servers delete them too.
    const told = (await eventsOf(person)).filter(({ $case }) => $case === 'statusDeleted')
    expect(told.map(({ value }: Json) => [value.statusId, value.deleteMedia, Boolean(value.sent)])).toEqual(
      status_ids.map((id) => [id, true, true]),
    )
  })

  test('are marked as sensitive, as an edit that the author and others see; the report stays open where that is wished', async () => {
    const person = await someone()
    const post = await person.says('look #cats', { poll: { options: ['a', 'b'], expires_in: 3600 } })
    await reporter.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [0] })
    const reportId = await files(person, [post])
    const page = await moderator.go(`/admin/reports/${reportId}`)
    const values = { type: 'mark_statuses_as_sensitive', resolve: 'false', send_email_notification: 'false' }
    for (const _again of [1, 2]) expect(notice(await acts(page, [post], values))).toBe('Done.')
    const { body } = await reporter.get(`/api/v1/statuses/${post.id}`)
    expect(body).toMatchObject({ sensitive: true, edited_at: expect.any(String), tags: [{ name: 'cats' }], poll: { votes_count: 1 } })
    expect((await reporter.get(`/api/v1/statuses/${post.id}/history`)).body).toHaveLength(2)
    expect(await report(reportId)).toMatchObject({ action_taken: false })
    expect(await warnings(person)).toEqual([])
    expect((await eventsOf(person)).filter(({ $case }) => $case === 'statusEdited')).toHaveLength(1)
  })

  test('are refused without a choice, of another person, and with a text that is too long', async () => {
    const [person, other] = [await someone(), await someone()]
    const [post, foreign] = [await person.says('one'), await other.says('two')]
    const page = await moderator.go(`/admin/reports/${await files(person, [post])}`)
    const nothing = await acts(page, [], DELETE)
    expect([nothing.status, notice(nothing)]).toEqual([422, 'That did not work. Please choose at least one.'])
    expect((await acts(page, [post], { ...DELETE, text: 'x'.repeat(2049) })).status).toBe(422)
    const mixed = await acts(page, [post, foreign], { ...DELETE, resolve: 'false' })
    expect([mixed.status, notice(mixed)]).toEqual([422, 'That did not work. What was sent does not fit. Please check it.'])
    expect([await statusOf(post.id), await statusOf(foreign.id), await warnings(person)]).toEqual([200, 200, []])
  })

  test('of an owner are no moderator’s to delete', async () => {
    const post = await owner.says('mine')
    const path = `/admin/reports/${await files(owner, [post])}`
    const { text } = await moderator.go(path)
    expect(text).not.toContain('id="chosen"')
    const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const sent = { ...DELETE, ...ids([post]), form: 'statuses', form_token: token, account_id: owner.id }
    const answer = await moderator.go(path, { method: 'POST', body: new URLSearchParams(sent) })
    expect([answer.status, notice(answer)]).toEqual([403, 'That did not work. Your role does not permit this.'])
    expect(await statusOf(post.id)).toBe(200)
  })

  test('that two moderators delete at once are deleted, and the author counts them once', async () => {
    const person = await someone()
    const posts = [await person.says('a'), await person.says('b'), await person.says('c')]
    const second = await signsIn('owner')
    const path = `/admin/reports/${await files(person, posts)}`
    const done = await Promise.all([
      acts(await moderator.go(path), posts, DELETE),
      acts(await second.go(path), [...posts].reverse(), DELETE, second),
    ])
    expect(done.map(notice)).toEqual(['Done.', 'Done.'])
    expect(await Promise.all(posts.map(({ id }) => statusOf(id)))).toEqual([404, 404, 404])
    expect((await reporter.get(`/api/v1/accounts/${person.id}`)).body.statuses_count).toBe(0)
    expect((await eventsOf(person)).filter(({ $case }) => $case === 'statusDeleted')).toHaveLength(3)
  })

  test('that were deleted in part when the process stopped are deleted by the next try, and notified of once', async () => {
    const person = await someone()
    const posts = [await person.says('a'), await person.says('b')]
    const moderation = innerClient(world, ModerationDefinition)
    const warning = { action: 'delete_statuses', text: '' }
    const deletedStatusIds = posts.map(({ id }) => id)
    const { acts: log } = await world.operator().listActs(innerCall(), { page: { limit: 1 } })
    const request = { actId: String(Number(log[0]?.id ?? 0) + 1), accountId: person.id, staffId: '', reportId: '', warning }
    await person.asks('DELETE', `/api/v1/statuses/${posts[0]!.id}`)
    for (const _again of [1, 2]) {
      await moderation.applyAct(innerCall(), { ...request, resolvesReports: false, deletedStatusIds, sensitiveStatusIds: [] })
    }
    expect(await statusOf(posts[1]!.id)).toBe(404)
    expect(await warnings(person)).toHaveLength(1)
  })

  test('of another server are deleted here alone, and do not come again; marked they are sensitive', async () => {
    const ann = await stranger(world, 'ann')
    const wire = statusBy(world, ann, 'from afar')
    const remote = innerClient(world, RemoteStatusesDefinition)
    const { id } = await remote.store(innerCall(), wire)
    const other = await said(world, ann, 'another')
    const path = `/admin/reports/${await files(ann, [{ id }, other])}`
    expect(notice(await acts(await moderator.go(path), [other], { type: 'mark_statuses_as_sensitive', resolve: 'false' }))).toBe('Done.')
    expect((await reporter.get(`/api/v1/statuses/${other.id}`)).body).toMatchObject({ sensitive: true, edited_at: null })
    expect(notice(await acts(await moderator.go(path), [{ id }], DELETE))).toBe('Done.')
    expect(await statusOf(id)).toBe(404)
    expect((await remote.store(innerCall(), wire)).id).toBe('')
    expect((await remote.store(innerCall(), { ...wire, isFetched: true, editedAtMilliseconds: world.clock.now() })).id).toBe('')
  })
})

describe('what someone posted', () => {
  test('is listed as far as everyone may read it, or a report names it, and deleted from there', async () => {
    const person = await someone()
    await person.follows(reporter)
    const posts = {
      open: await person.says('open'),
      quiet: await person.says('quiet', { visibility: 'unlisted' }),
      few: await person.says('for few', { visibility: 'private' }),
      said: await person.says(`@reporter said`, { visibility: 'direct' }),
    }
    await files(person, [posts.said])
    const path = `/admin/accounts/${person.id}/statuses`
    expect((await moderator.go(`/admin/accounts/${person.id}`)).text).toContain(`href="${path}"`)
    const page = await moderator.go(path)
    const shown = [...page.text.matchAll(/name="status_ids\[\]" value="(\d+)"/g)].map(([, id]) => id)
    expect(shown).toEqual([posts.said.id, posts.quiet.id, posts.open.id])
    expect(notice(await acts(page, [posts.open], DELETE))).toBe('Done.')
    expect(await statusOf(posts.open.id)).toBe(404)
    expect((await moderator.go('/admin/accounts/1234567/statuses')).status).toBe(404)
    expect((await moderator.go('/admin/accounts/none/statuses')).status).toBe(404)
  })

  test('is deleted by an operator too, of several people and servers at once', async () => {
    const person = await someone()
    const ann = await stranger(world, 'anna')
    const [post, kept, far] = [await person.says('a'), await person.says('b'), await said(world, ann, 'c')]
    const acted = await world.operator().actOnStatuses(innerCall(), {
      ...{ action: DELETE.type, text: 'Not here.', sendsMail: false },
      statusIds: [post.id, far.id, '12'],
    })
    expect([...acted.statusIds].sort()).toEqual([post.id, far.id].sort())
    expect(await Promise.all([post, kept, far].map(({ id }) => statusOf(id)))).toEqual([404, 200, 404])
    const nothing = world.operator().actOnStatuses(innerCall(), { action: DELETE.type, statusIds: ['12'], text: '', sendsMail: false })
    await expect(nothing).rejects.toMatchObject({ kind: 'not_found' })
  })
})
