import {
  GraphDefinition,
  InteractionsDefinition,
  PollsDefinition,
  RemoteStatusesDefinition,
  ReportsDefinition,
  Visibility,
} from '@rookery/contracts/statuses'
import { idAtTime, timeOfId } from '@rookery/ids'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { following, homeIds, pictureOf, type Stranger, said, statusBy, stranger } from '@rookery/test-world/elsewhere'
import { idsOf, keepEvents, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const DAY = 86_400_000

let world: World
let mara: Person
let joel: Person
let ann: Stranger
let bob: Stranger
let eventsOf: Awaited<ReturnType<typeof keepEvents>>

beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  ann = await stranger(world, 'ann')
  bob = await stranger(world, 'bob', 'other.example')
  await following(world, mara, ann)
  await world.idle()
  eventsOf = await keepEvents(world)
})
afterAll(() => world.close())

const remote = () => innerClient(world, RemoteStatusesDefinition)
const shown = async (id: string, viewer: Person = mara) => (await viewer.get(`/api/v1/statuses/${id}`)).body
const mentions = async (person: Person) =>
  (await person.notifications()).filter(({ type }) => type === 'mention').map(({ status }) => status.id)
const kinds = (events: { $case: string }[]) => events.map(({ $case }) => $case)

describe('a status of another server', () => {
  test('is in the homes of those who follow its author, with its origin', async () => {
    const { id, uri, url } = await said(world, ann, 'tea <script>alert(1)</script>')
    expect(await homeIds(mara)).toContain(id)
    expect(await homeIds(joel)).not.toContain(id)
    expect(await shown(id)).toMatchObject({ uri, url, content: '<p>tea </p>', visibility: 'public', account: { acct: 'ann@far.example' } })
  })

  test('stored again is the same, and says the same', async () => {
    const status = statusBy(world, ann, 'once')
    const first = await remote().store(innerCall(), status)
    expect(await remote().store(innerCall(), { ...status, contentHtml: '<p>twice</p>' })).toEqual({ id: first.id, isNew: false })
    expect((await shown(first.id)).content).toBe('<p>once</p>')
  })

  test('shows how often its server says it was favourited and boosted, and what happened here since', async () => {
    const countsOf = async (id: string) => {
      const { favourites_count: favourites, reblogs_count: boosts } = await shown(id)
      return [favourites, boosts]
    }
    const status = { ...statusBy(world, ann, 'popular'), favouritesCount: 5, reblogsCount: 3 }
    const { id } = await remote().store(innerCall(), status)
    expect(await countsOf(id)).toEqual([5, 3])
    await mara.reacts('favourite', { id })
    await joel.reacts('reblog', { id })
    expect(await countsOf(id)).toEqual([6, 4])
    // Those two are among what its server counts by now.
    await remote().store(innerCall(), { ...status, favouritesCount: 9, reblogsCount: 4 })
    expect(await countsOf(id)).toEqual([9, 4])
    await mara.reacts('unfavourite', { id })
    expect(await countsOf(id)).toEqual([8, 4])
    await remote().store(innerCall(), { ...status, favouritesCount: undefined, reblogsCount: undefined })
    expect(await countsOf(id)).toEqual([8, 4])
    // What is known here happened, whatever its server says.
    await remote().store(innerCall(), { ...status, favouritesCount: 0, reblogsCount: 0 })
    expect(await countsOf(id)).toEqual([0, 1])
    await remote().store(innerCall(), { ...status, favouritesCount: Number.MAX_SAFE_INTEGER })
    expect(await countsOf(id)).toEqual([1_000_000_000, 3])
  })

  test('stored many times at once is one', async () => {
    const status = statusBy(world, ann, 'at once')
    const stored = await Promise.all(Array.from({ length: 12 }, () => remote().store(innerCall(), status)))
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1)
    expect(stored.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  test('has the id of its time, within the last 30 days, and the time that its server says', async () => {
    const now = world.clock.now()
    const future = await said(world, ann, 'soon', { publishedAtMilliseconds: now + DAY })
    const old = await said(world, ann, 'old', { publishedAtMilliseconds: now - 400 * DAY })
    const asked = await said(world, ann, 'older', { publishedAtMilliseconds: now - 500 * DAY, isFetched: true })
    // The world's clock goes on while the test does.
    const about = (moment: number) => Math.round((moment - now) / DAY)
    expect(about(timeOfId(future.id))).toBe(0)
    expect(about(timeOfId(old.id))).toBe(-30)
    expect(timeOfId(asked.id)).toBe(now - 500 * DAY)
    expect((await shown(old.id)).created_at).toBe(new Date(now - 400 * DAY).toISOString())
  })

  test('of someone who is suspended, unknown or of this server is refused, and so is one of another server than its author', async () => {
    const carl = await stranger(world, 'carl')
    await query(world, 'update statuses.account set is_suspended = true where id = $1', [carl.id])
    expect((await said(world, carl, 'no')).id).toBe('')
    expect((await said(world, { ...ann, id: '1' }, 'no')).id).toBe('')
    expect((await said(world, { ...ann, id: mara.id }, 'no')).id).toBe('')
    expect((await said(world, ann, 'no', { uri: `${bob.uri}/statuses/1` })).id).toBe('')
  })

  test('of another author under a uri that is taken changes nothing', async () => {
    const own = await said(world, ann, 'mine')
    const dora = await stranger(world, 'dora')
    expect((await said(world, dora, 'stolen', { uri: own.uri, editedAtMilliseconds: world.clock.now() + DAY })).id).toBe('')
    expect((await shown(own.id)).content).toBe('<p>mine</p>')
  })

  test('keeps at most what people can read: 16 files, 64 tags, 100 mentions', async () => {
    const attachments = Array.from({ length: 20 }, (_, index) => pictureOf(`https://far.example/${index}.png`))
    const tags = Array.from({ length: 1000 }, (_, index) => `tag${index}`)
    const { id } = await said(world, ann, 'much', { attachments, tags, mentionedAccountIds: Array(500).fill(joel.id) })
    const status = await shown(id)
    expect(status.media_attachments).toHaveLength(16)
    expect(status.tags).toHaveLength(64)
    expect(status.mentions).toHaveLength(1)
  })

  test('shows its files at addresses of this server, and says where its own keeps them', async () => {
    const url = 'https://far.example/tea.png'
    const { id } = await said(world, ann, 'look', { attachments: [pictureOf(url, 'a cup'), pictureOf('javascript:alert(1)')] })
    const { media_attachments: files } = await shown(id)
    expect(files).toHaveLength(1)
    const [original, preview] = [`${world.address}/media/remote/original/`, `${world.address}/media/remote/preview/`]
    expect(files[0]).toMatchObject({ type: 'image', remote_url: url, preview_remote_url: null, description: 'a cup' })
    expect([files[0].url, files[0].preview_url]).toEqual([expect.stringContaining(original), expect.stringContaining(preview)])
    expect(files[0].meta.original).toMatchObject({ width: 640, height: 480 })
  })

  test('shows a frame or the preview of a film here, and only leads to files of no known kind', async () => {
    const [url, previewUrl] = ['https://far.example/tea.mp4', 'https://far.example/tea.jpg']
    const filmOf = (changes: object) => ({ ...pictureOf(url), type: 'video', ...changes })
    const attachments = [filmOf({}), filmOf({ url: `${url}?2`, previewUrl }), filmOf({ url: `${url}?3`, type: 'unknown' })]
    const { id } = await said(world, ann, 'look', { attachments })
    const [plain, posted, unknown] = (await shown(id)).media_attachments
    const here = expect.stringContaining(`${world.address}/media/remote/preview/`)
    expect(plain).toMatchObject({ type: 'video', preview_url: here, remote_url: url, preview_remote_url: null })
    expect(posted).toMatchObject({ type: 'video', preview_url: here, remote_url: `${url}?2`, preview_remote_url: previewUrl })
    expect(posted.preview_url).not.toBe(plain.preview_url)
    expect(unknown).toMatchObject({ type: 'unknown', url: `${url}?3`, preview_url: null })
  })

  test('shows emojis of its server at addresses of this one', async () => {
    const url = 'https://far.example/blob.gif'
    const emojis = [{ shortcode: 'blob', url, staticUrl: url, visibleInPicker: false, category: '' }]
    const { id } = await said(world, ann, ':blob:', { emojis })
    expect((await shown(id)).emojis).toMatchObject([
      {
        shortcode: 'blob',
        url: expect.stringContaining(`${world.address}/media/remote/emoji/`),
        static_url: expect.stringContaining(`${world.address}/media/remote/emoji_static/`),
      },
    ])
  })

  test('shows no files of a server whose media are rejected', async () => {
    const evan = await stranger(world, 'evan', 'rejected.example')
    await query(world, 'update statuses.account set rejects_media = true where id = $1', [evan.id])
    const url = 'https://rejected.example/tea.png'
    const emojis = [{ shortcode: 'blob', url, staticUrl: url, visibleInPicker: false, category: '' }]
    const { id } = await said(world, evan, 'look :blob:', { attachments: [pictureOf(url)], emojis })
    const status = await shown(id)
    expect(status.media_attachments).toMatchObject([{ type: 'unknown', url: null, preview_url: null, remote_url: url }])
    expect(status.emojis).toEqual([])
  })

  test('is found by its words, and filtered by them', async () => {
    const { id } = await said(world, ann, 'a marzipan <b>elephant</b>')
    await mara.reacts('favourite', { id })
    const found = (await mara.get('/api/v2/search?q=elephant&type=statuses')).body.statuses
    expect(idsOf(found)).toEqual([id])
    await mara.post('/api/v2/filters', { title: 'e', context: ['home'], keywords_attributes: [{ keyword: 'elephant' }] })
    expect((await shown(id)).filtered).toHaveLength(1)
  })

  test('has a card for its first link, and is its own source', async () => {
    const { id } = await said(
      world,
      ann,
      'see <a href="https://far.example/@bob" class="u-url mention">@bob</a> <a href="https://tea.example/">tea</a>',
    )
    const [row] = await query(world, 'select url from statuses.status_card where status_id = $1', [id])
    expect(row).toEqual({ url: 'https://tea.example/' })
    expect((await mara.get(`/api/v1/statuses/${id}/source`)).body).toMatchObject({ text: 'see @bob tea' })
  })
})

describe('what someone asked another server for', () => {
  test('is in no home, notifies no one, and can be read', async () => {
    const { id } = await said(world, ann, 'asked for @mara', { isFetched: true, mentionedAccountIds: [mara.id] })
    expect(await homeIds(mara)).not.toContain(id)
    expect(await mentions(mara)).not.toContain(id)
    expect((await shown(id)).content).toBe('<p>asked for @mara</p>')
  })

  test('is news when its server sends it', async () => {
    const { id, ...status } = await said(world, ann, 'asked for first', { isFetched: true, mentionedAccountIds: [mara.id] })
    expect(await remote().store(innerCall(), { ...status, isFetched: false })).toEqual({ id, isNew: false })
    await remote().store(innerCall(), { ...status, isFetched: false })
    await world.idle()
    expect(await homeIds(mara)).toContain(id)
    expect((await mentions(mara)).filter((each) => each === id)).toHaveLength(1)
  })
})

test('no one is notified of what people of a server do that they shut out', async () => {
  const { wary } = await world.cast('wary')
  const near = await stranger(world, 'near', 'near.example')
  const shut = await stranger(world, 'shut', 'shut.example')
  expect((await wary.post('/api/v1/domain_blocks', { domain: 'shut.example' })).status).toBe(200)
  const heard = await said(world, near, '@wary', { mentionedAccountIds: [wary.id] })
  await said(world, shut, '@wary', { mentionedAccountIds: [wary.id] })
  await following(world, near, wary)
  await expect(following(world, shut, wary)).rejects.toThrow('This action is not allowed')
  await world.idle()
  expect((await wary.notifications()).map(({ type, account }) => [type, account.acct])).toEqual([
    ['follow', near.acct],
    ['mention', near.acct],
  ])
  expect(await mentions(wary)).toEqual([heard.id])
})

describe('an answer from another server', () => {
  test('notifies whom it mentions, counts, and stands in the thread', async () => {
    const parent = await mara.says('what do you drink?')
    const { id } = await said(world, bob, '@mara tea', { inReplyToId: parent.id, mentionedAccountIds: [mara.id, ann.id] })
    expect(await mentions(mara)).toContain(id)
    expect((await shown(parent.id)).replies_count).toBe(1)
    expect(idsOf((await mara.get(`/api/v1/statuses/${parent.id}/context`)).body.descendants)).toEqual([id])
    expect((await shown(id)).mentions).toMatchObject([
      { id: mara.id, acct: 'mara', url: `${world.origin}/@mara` },
      { id: ann.id, acct: 'ann@far.example', url: ann.url },
    ])
  })

  test('to what its author may not see is an answer to nothing known', async () => {
    const parent = await mara.says('for followers', { visibility: 'private' })
    const { id } = await said(world, bob, 'I know', { inReplyToId: parent.id })
    expect(await shown(id)).toMatchObject({ in_reply_to_id: null })
    expect((await shown(parent.id)).replies_count).toBe(0)
  })

  test('to a status that is not known here is in no home but notifies whom it mentions', async () => {
    const { id } = await said(world, ann, '@mara yes', { isReplyToUnknown: true, mentionedAccountIds: [mara.id] })
    expect(await homeIds(mara)).not.toContain(id)
    expect(await mentions(mara)).toContain(id)
  })

  test('of someone whom the mentioned blocks does not reach them', async () => {
    const rude = await stranger(world, 'rude')
    await mara.asks('POST', `/api/v1/accounts/${rude.id}/block`)
    const { id } = await said(world, rude, '@mara hey', { mentionedAccountIds: [mara.id] })
    expect(await mentions(mara)).not.toContain(id)
    expect((await mara.get(`/api/v1/statuses/${id}`)).body.mentions).toEqual([])
  })

  test('to someone alone is a conversation of theirs', async () => {
    const { id } = await said(world, ann, '@joel psst', { visibility: Visibility.DIRECT, mentionedAccountIds: [joel.id] })
    const [conversation] = (await joel.get('/api/v1/conversations')).body
    expect(conversation).toMatchObject({ unread: true, last_status: { id }, accounts: [{ acct: 'ann@far.example' }] })
    expect((await mara.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect(await query(world, 'select 1 from statuses.conversation where owner_id = $1', [ann.id])).toEqual([])
  })
})

describe('an edit by another server', () => {
  test('shows the new text, keeps the old as history, and notifies who is mentioned for the first time', async () => {
    const status = await said(world, ann, 'tee')
    const editedAtMilliseconds = world.clock.now() + 1
    world.clock.advance(1000)
    const edited = { ...status, contentHtml: '<p>tea @joel</p>', mentionedAccountIds: [joel.id], editedAtMilliseconds }
    await remote().store(innerCall(), edited)
    await world.idle()
    expect(await shown(status.id)).toMatchObject({ content: '<p>tea @joel</p>', edited_at: new Date(editedAtMilliseconds).toISOString() })
    expect((await mara.get(`/api/v1/statuses/${status.id}/history`)).body.map(({ content }: { content: string }) => content)).toEqual([
      '<p>tee</p>',
      '<p>tea @joel</p>',
    ])
    expect(await mentions(joel)).toContain(status.id)
  })

  test('that is older than what is kept changes nothing', async () => {
    const status = await said(world, ann, 'first')
    const at = world.clock.now()
    world.clock.advance(DAY)
    await remote().store(innerCall(), { ...status, contentHtml: '<p>third</p>', editedAtMilliseconds: at + 2000 })
    await remote().store(innerCall(), { ...status, contentHtml: '<p>second</p>', editedAtMilliseconds: at + 1000 })
    expect((await shown(status.id)).content).toBe('<p>third</p>')
    expect((await mara.get(`/api/v1/statuses/${status.id}/history`)).body).toHaveLength(2)
  })

  test('keeps the ids of files that stay', async () => {
    const [one, two] = [pictureOf('https://far.example/1.png'), pictureOf('https://far.example/2.png')]
    const status = await said(world, ann, 'files', { attachments: [one] })
    const before = (await shown(status.id)).media_attachments[0].id
    world.clock.advance(1000)
    await remote().store(innerCall(), { ...status, attachments: [two, one], editedAtMilliseconds: world.clock.now() })
    expect(idsOf((await shown(status.id)).media_attachments)[1]).toBe(before)
  })
})

describe('a poll of another server', () => {
  const poll = (votes: number[], more = {}) => ({
    options: votes.map((votesCount, index) => ({ title: `option ${index}`, votesCount })),
    isMultiple: false,
    ...more,
  })

  test('shows the votes that its server counts, with or without an end', async () => {
    const ending = await said(world, ann, 'tea?', {
      poll: poll([3, 4], { votersCount: 6, expiresAtMilliseconds: world.clock.now() + DAY }),
    })
    const endless = await said(world, ann, 'tea?', { poll: poll([1, 2]) })
    expect((await shown(ending.id)).poll).toMatchObject({
      votes_count: 7,
      voters_count: 6,
      expired: false,
      options: [{ votes_count: 3 }, { votes_count: 4 }],
    })
    expect((await shown(endless.id)).poll).toMatchObject({ votes_count: 3, voters_count: 3, expires_at: null, expired: false })
  })

  test('has all options of up to 32, as what is cut cannot be chosen', async () => {
    const { id } = await said(world, ann, 'which?', { poll: poll(Array.from({ length: 40 }, () => 1)) })
    expect((await shown(id)).poll.options).toHaveLength(32)
  })

  test('takes a vote, shows it at once, and has its server learn of it', async () => {
    const status = await said(world, ann, 'tea?', { poll: poll([3, 4]) })
    const { body } = await joel.post(`/api/v1/polls/${status.id}/votes`, { choices: [1] })
    expect(body).toMatchObject({ votes_count: 8, voted: true, own_votes: [1] })
    const events = await eventsOf(joel)
    expect(events.at(-1)).toMatchObject({ $case: 'pollVoted', value: { statusId: status.id, authorId: ann.id, choices: ['option 1'] } })
    await remote().store(innerCall(), { ...status, poll: poll([10, 20]) })
    expect((await shown(status.id)).poll).toMatchObject({ votes_count: 30 })
    expect((await joel.get(`/api/v1/statuses/${status.id}`)).body).toMatchObject({ edited_at: null, poll: { own_votes: [1] } })
  })
})

describe('a poll of this server', () => {
  const votes = (voter: Stranger, id: string, choices: number[]) =>
    innerClient(world, PollsDefinition).vote(innerCall(), { id, viewerId: voter.id, choices })

  test('takes votes of other servers, one choice at a time, and tells them of the count once in a while and at its end', async () => {
    const { id } = await mara.says('which?', { poll: { options: ['tea', 'coffee', 'water'], expires_in: 3600, multiple: true } })
    await votes(ann, id, [0])
    await votes(ann, id, [2])
    await votes(bob, id, [2])
    await expect(votes(ann, id, [2])).rejects.toThrow('You have already voted on this poll')
    expect((await shown(id)).poll).toMatchObject({ votes_count: 3, voters_count: 2 })
    const counted = async () => (await eventsOf(mara)).filter(({ $case, value }) => $case === 'pollCounted' && value.statusId === id).length
    expect(await counted()).toBe(0)
    await world.advance(3 * 60_000)
    expect(await counted()).toBe(1)
    await world.advance(3_600_000)
    expect(await counted()).toBe(2)
    expect(await query(world, 'select 1 from notifications.notification where recipient_id = $1', [ann.id])).toEqual([])
  })
})

describe('deleting', () => {
  test('a status is for its author alone', async () => {
    const { id, uri } = await said(world, ann, 'gone')
    await remote().delete(innerCall(), { uri, authorId: bob.id })
    expect((await mara.get(`/api/v1/statuses/${id}`)).status).toBe(200)
    await remote().delete(innerCall(), { uri, authorId: ann.id })
    await world.idle()
    expect((await mara.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect(await homeIds(mara)).not.toContain(id)
    await remote().delete(innerCall(), { uri, authorId: ann.id })
  })

  test('a status of this server says where it went', async () => {
    const parent = await said(world, bob, 'a question')
    const answer = await joel.says(`@${ann.acct} an answer`, { in_reply_to_id: parent.id })
    const secret = await joel.says('to no one', { visibility: 'direct' })
    await joel.asks('DELETE', `/api/v1/statuses/${answer.id}`)
    await joel.asks('DELETE', `/api/v1/statuses/${secret.id}`)
    const deleted = (await eventsOf(joel)).filter(({ $case }) => $case === 'statusDeleted').map(({ value }) => value)
    expect(deleted.at(-2).sent).toEqual({ uri: answer.uri, remoteAccountIds: expect.arrayContaining([ann.id, bob.id]), reblogOfUri: '' })
    expect(deleted.at(-1).sent).toBeUndefined()
  })
})

describe('a boost by a person of another server', () => {
  const boosts = async (booster: Stranger, reblogOfId: string, uri: string) => {
    const stored = await remote().storeBoost(innerCall(), {
      ...{ uri, authorId: booster.id, reblogOfId, visibility: Visibility.PUBLIC, publishedAtMilliseconds: world.clock.now() },
    })
    await world.idle()
    return stored
  }

  test('is in homes, notifies the author, counts, and is taken back', async () => {
    const { id } = await joel.says('worth it')
    const uri = `${ann.uri}/statuses/boost-1/activity`
    const boost = await boosts(ann, id, uri)
    expect(boost.isNew).toBe(true)
    expect(await boosts(ann, id, uri)).toEqual({ id: boost.id, isNew: false })
    expect(await homeIds(mara)).toContain(boost.id)
    expect(await shown(boost.id)).toMatchObject({ uri, reblog: { id, reblogs_count: 1 } })
    expect((await joel.notifications()).filter(({ type }) => type === 'reblog')).toMatchObject([
      { account: { acct: ann.acct }, status: { id } },
    ])
    await remote().delete(innerCall(), { uri, authorId: ann.id })
    await world.idle()
    expect((await shown(id)).reblogs_count).toBe(0)
    expect((await joel.notifications()).filter(({ type }) => type === 'reblog')).toEqual([])
  })

  test('of what they may not boost or see is refused', async () => {
    const hidden = await joel.says('for followers', { visibility: 'private' })
    expect((await boosts(ann, hidden.id, `${ann.uri}/statuses/boost-2/activity`)).id).toBe('')
    const open = await joel.says('open')
    expect((await boosts(ann, open.id, `${bob.uri}/statuses/boost-3/activity`)).id).toBe('')
  })
})

test('the pins of a person of another server are those their server says, the first on top', async () => {
  const [one, two] = [await said(world, ann, 'one'), await said(world, ann, 'two')]
  const other = await said(world, bob, 'not hers')
  await remote().storePins(innerCall(), { accountId: ann.id, statusIds: [two.id, other.id, one.id] })
  const pinned = async () => idsOf((await mara.get(`/api/v1/accounts/${ann.id}/statuses?pinned=true`)).body)
  expect(await pinned()).toEqual([two.id, one.id])
  await remote().storePins(innerCall(), { accountId: ann.id, statusIds: [one.id] })
  expect(await pinned()).toEqual([one.id])
})

test('statuses are found by their uris, those of this server too', async () => {
  const theirs = await said(world, ann, 'theirs')
  const ours = await mara.says('ours')
  const unlike = ours.uri.replace('/users/mara/', '/users/joel/')
  const { statuses } = await remote().readByUris(innerCall(), {
    uris: [theirs.uri, ours.uri, unlike, `${ours.uri}/activity`, 'https://far.example/none', 'nonsense'],
  })
  expect(statuses).toHaveLength(2)
  expect(statuses).toEqual(
    expect.arrayContaining([
      { id: theirs.id, uri: theirs.uri, authorId: ann.id },
      { id: ours.id, uri: ours.uri, authorId: mara.id },
    ]),
  )
})

describe('a status interests someone', () => {
  const nothing = {
    uri: 'https://far.example/statuses/none',
    authorUri: 'https://far.example/users/nobody',
    mentionedUris: [],
    inReplyToUri: '',
    tags: [],
  }
  const concerns = async (of: Partial<typeof nothing>) => (await remote().concerns(innerCall(), { ...nothing, ...of })).concerns

  test('when it is known, its author is followed, it mentions or answers someone of this server, or carries a followed tag', async () => {
    const ours = await mara.says('ours')
    await joel.post('/api/v1/tags/elderberries/follow')
    expect(await concerns({})).toBe(false)
    const { uri } = await said(world, bob, 'of no interest')
    expect(await concerns({ uri })).toBe(true)
    expect(await concerns({ authorUri: ann.uri })).toBe(true)
    expect(await concerns({ authorUri: bob.uri })).toBe(false)
    expect(await concerns({ mentionedUris: [`${world.origin}/users/mara`] as never[] })).toBe(true)
    expect(await concerns({ mentionedUris: [`${world.origin}/users/nobody`, bob.uri] as never[] })).toBe(false)
    expect(await concerns({ inReplyToUri: ours.uri })).toBe(true)
    expect(await concerns({ tags: ['Elderberries'] as never[] })).toBe(true)
    expect(await concerns({ tags: ['gooseberries'] as never[] })).toBe(false)
  })
})

describe('timelines by where statuses are from', () => {
  test('local, remote and with media only', async () => {
    const here = await joel.says('here #whence')
    const there = await said(world, bob, 'there #whence', { tags: ['whence'], attachments: [pictureOf('https://other.example/a.png')] })
    const read = async (path: string) =>
      idsOf((await mara.get(`/api/v1/timelines/${path}`)).body).filter((id) => id === here.id || id === there.id)
    for (const timeline of ['public', 'tag/whence']) {
      expect(await read(timeline)).toEqual([there.id, here.id])
      expect(await read(`${timeline}?local=true`)).toEqual([here.id])
      expect(await read(`${timeline}?remote=true`)).toEqual([there.id])
      expect(await read(`${timeline}?local=true&remote=true`)).toEqual([there.id, here.id])
      expect(await read(`${timeline}?remote=true&only_media=true`)).toEqual([there.id])
      expect(await read(`${timeline}?local=true&only_media=true`)).toEqual([])
    }
  })

  test('live, too', async () => {
    const streams = {
      all: await mara.listens('public'),
      local: await mara.listens('public:local'),
      remote: await mara.listens('public:remote:media'),
    }
    const here = await joel.says('live here')
    const there = await said(world, bob, 'live there', { attachments: [pictureOf('https://other.example/b.png')] })
    await remote().delete(innerCall(), { uri: there.uri, authorId: bob.id })
    await streams.all.hears(({ event, payload }) => event === 'delete' && payload === there.id)
    await streams.remote.hears(({ event, payload }) => event === 'delete' && payload === there.id)
    const heard = ({ frames }: typeof streams.all) =>
      frames.map(({ event, payload }) => (event === 'delete' ? payload : JSON.parse(payload ?? '{}').id))
    expect(heard(streams.local)).toEqual([here.id])
    expect(heard(streams.remote)).toEqual([there.id, there.id])
    for (const stream of Object.values(streams)) await stream.close()
  })
})

describe('people of other servers as viewers', () => {
  test('favourite and boost what they may see, as everyone does, and are never notified', async () => {
    const { id } = await joel.says('like me')
    const interactions = innerClient(world, InteractionsDefinition)
    await interactions.favourite(innerCall(), { viewerId: ann.id, statusId: id })
    await interactions.reblog(innerCall(), { viewerId: bob.id, statusId: id, visibility: Visibility.PUBLIC })
    await world.idle()
    expect(await shown(id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect((await joel.notifications()).filter(({ status }) => status?.id === id).map(({ type }) => type)).toEqual(['reblog', 'favourite'])
    await interactions.unfavourite(innerCall(), { viewerId: ann.id, statusId: id })
    expect((await shown(id)).favourites_count).toBe(0)
    const theirs = await said(world, ann, 'like mine')
    await joel.reacts('favourite', theirs)
    await joel.says(`@${ann.acct} hello`, { in_reply_to_id: theirs.id })
    await following(world, bob, joel)
    await joel.says('for my followers')
    await world.idle()
    expect(await query(world, 'select 1 from notifications.notification where recipient_id = any($1)', [[ann.id, bob.id]])).toEqual([])
    expect(await query(world, 'select 1 from statuses.feed where account_id = any($1)', [[ann.id, bob.id]])).toEqual([])
  })

  test('have their servers learn of favourites of their statuses alone', async () => {
    const before = (await eventsOf(joel)).length
    const theirs = await said(world, ann, 'mine')
    const ours = await mara.says('ours')
    await joel.reacts('favourite', theirs)
    await joel.reacts('favourite', ours)
    await joel.reacts('unfavourite', theirs)
    const events = (await eventsOf(joel)).slice(before).filter(({ $case }) => $case.endsWith('avourited'))
    expect(events).toEqual([
      { $case: 'statusFavourited', value: { accountId: joel.id, statusId: theirs.id, authorId: ann.id } },
      { $case: 'statusUnfavourited', value: { accountId: joel.id, statusId: theirs.id, authorId: ann.id } },
    ])
  })
})

describe('acts of people of other servers', () => {
  test('report, block and follow as those of everyone do; nothing is sent to them', async () => {
    const gus = await stranger(world, 'gus')
    const rita = await world.person('rita')
    const { id } = await rita.says('report me')
    await innerClient(world, ReportsDefinition).file(innerCall(), {
      ...{ viewerId: gus.id, accountId: rita.id, statusIds: [id], comment: 'spam', category: 'spam', ruleIds: [], forward: false },
    })
    await following(world, gus, rita)
    await world.idle()
    expect((await rita.notifications()).filter(({ type }) => type === 'follow')).toMatchObject([{ account: { acct: gus.acct } }])
    expect((await rita.get(`/api/v1/accounts/${rita.id}/followers`)).body).toMatchObject([{ acct: gus.acct }])
    await innerClient(world, GraphDefinition).block(innerCall(), { viewerId: gus.id, accountId: rita.id })
    await world.idle()
    expect((await rita.get(`/api/v1/accounts/${rita.id}/followers`)).body).toEqual([])
    expect(await query(world, 'select status_ids::text[] from statuses.report where account_id = $1', [gus.id])).toEqual([
      { status_ids: [id] },
    ])
    expect(await query(world, 'select 1 from statuses.feed where account_id = $1', [gus.id])).toEqual([])
    expect(await query(world, 'select 1 from notifications.notification where recipient_id = $1', [gus.id])).toEqual([])
  })
})

test('pins of people of this server leave as events, once each', async () => {
  const before = (await eventsOf(joel)).length
  const { id } = await joel.says('on top')
  for (const act of ['pin', 'pin', 'unpin', 'unpin']) await joel.reacts(act, { id })
  expect(kinds((await eventsOf(joel)).slice(before))).toEqual(['statusPublished', 'statusPinned', 'statusUnpinned'])
})

describe('mentions of people of other servers', () => {
  test('link to their profiles when they are known here, and stay text when they are not', async () => {
    const status = await joel.says('@ann@far.example @ANN@FAR.example @ann@nowhere.example')
    expect(status.mentions).toMatchObject([{ id: ann.id, acct: 'ann@far.example', url: ann.url }])
    expect(status.content).toContain(`<a href="${ann.url}" class="u-url mention">@<span>ann</span></a>`)
    expect(status.content).toContain('@ann@nowhere.example')
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.content).toBe(status.content)
  })

  test('are told apart from people of this server with the same username', async () => {
    const twin = await stranger(world, 'mara', 'twin.example')
    const status = await joel.says('@mara @mara@twin.example')
    expect(status.mentions.map(({ acct, id }: { acct: string; id: string }) => [acct, id])).toEqual([
      ['mara', mara.id],
      ['mara@twin.example', twin.id],
    ])
    expect((await joel.says('@mara')).mentions).toHaveLength(1)
  })

  test('come with an edit, too', async () => {
    const { id } = await joel.says('hello')
    const { body } = await joel.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'hello @ann@far.example' } })
    expect(body.mentions).toMatchObject([{ id: ann.id, acct: 'ann@far.example', url: ann.url }])
  })
})

test('an id lower than the newest is fine: what comes late stands at its time', async () => {
  const now = world.clock.now()
  const late = await said(world, ann, 'late', { publishedAtMilliseconds: now - 3_600_000 })
  expect(BigInt(late.id)).toBeLessThan(BigInt(idAtTime(now)))
  const home = await homeIds(mara)
  expect(home).toContain(late.id)
  expect(home).toEqual(home.toSorted((a, b) => Number(BigInt(b) - BigInt(a))))
})
