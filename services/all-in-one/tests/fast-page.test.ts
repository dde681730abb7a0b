import { ask, type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { openForgetful } from '@rookery/test-world/cold-server'
import { openPageServer } from '@rookery/test-world/page-server'
import { uploads } from '@rookery/test-world/scheduling'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Each test requests some four hundred pages, while others run beside it.
vi.setConfig({ testTimeout: 60_000 })

let world: World
let pages: Awaited<ReturnType<typeof openPageServer>>
let forgetful: Awaited<ReturnType<typeof openForgetful>>
beforeAll(async () => {
  pages = await openPageServer()
  pages.page('/leaves', '<html><head><meta property="og:title" content="Leaves"></head></html>')
  // Composed as by `npm start`: with the caches of a single process, and calls that pass objects.
  world = await World.open({
    isOnlyWriter: true,
    isWired: false,
    mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port,
  })
  forgetful = await openForgetful(world)
})
afterAll(async () => {
  await forgetful.close()
  await world.close()
  await pages.close()
})

const ACTS = [
  'post',
  'post',
  'private',
  'unlisted',
  'direct',
  'mention',
  'quote',
  'reply',
  'answer',
  'poll',
  'picture',
  'link',
  'schedule',
  'edit',
  'edit the poll away',
  'describe',
  'vote',
  'delete',
  'favourite',
  'unfavourite',
  'bookmark',
  'unbookmark',
  'pin',
  'unpin',
  'reblog',
  'unreblog',
  'mute',
  'unmute',
  'profile',
  'lock',
  'unlock',
  'hide',
  'unhide',
  'note',
  'read',
  'accept',
  'person follow',
  'person unfollow',
  'person block',
  'person unblock',
  'person mute',
  'person mute briefly',
  'person unmute',
  'person pin',
  'person unpin',
  'person remove_from_followers',
  'filter',
  'filter briefly',
  'filter a status',
  'change a filter',
  'drop a filter',
  'list',
  'unlist',
  'follow a tag',
  'unfollow a tag',
  'silence',
  'unsilence',
  'suspend',
  'unsuspend',
  'wait',
  'wait for polls',
  'idle',
  'look',
] as const
type Act = (typeof ACTS)[number]

const PEOPLE = 3
const acts = fc.array(fc.record({ act: fc.constantFrom(...ACTS), by: fc.nat(PEOPLE - 1), on: fc.nat(PEOPLE - 1), which: fc.nat(9) }), {
  minLength: 15,
  maxLength: 60,
  size: 'max',
})

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any
type Said = { id: string; by: Person; poll?: string; media?: string }
type Scene = { people: Person[]; lists: string[]; said: Said[] }
type Doing = { actor: Person; other: Person; which: number; target: Said | undefined; list: string; said: Said[] }

const texts = ['hello #tea', 'milk and #milk', 'tea #tea #milk', 'nothing']
const scope = { context: ['home', 'public'] }
const changeProfile = ({ actor }: Doing, body: Record<string, unknown>) =>
  actor.asks('PATCH', '/api/v1/accounts/update_credentials', { body })

const say = async ({ actor, said, which }: Doing, more: Record<string, unknown> = {}) => {
  const { id, poll } = await actor.says(texts[which % texts.length]!, more)
  said.push({ id, by: actor, ...(poll ? { poll: poll.id } : {}) })
}
const sayWithPicture = async (doing: Doing) => {
  const media = await uploads(doing.actor)
  await say(doing, { media_ids: [media] })
  doing.said.at(-1)!.media = media
}
const filterOf = async (person: Person, which: number): Promise<Json> => {
  const { body } = await person.get('/api/v2/filters')
  return body[which % (body.length || 1)]
}
const onList = (method: string, { actor, other, list }: Doing) =>
  actor.asks(method, `/api/v1/lists/${list}/accounts`, { body: { account_ids: [other.id] } })
const poll = { options: ['tea', 'milk'], expires_in: 300, hide_totals: true }

/** Acts that need no earlier status. A refused act changes nothing. */
const FREE: Partial<Record<Act, (doing: Doing) => Promise<unknown>>> = {
  post: (doing) => say(doing),
  private: (doing) => say(doing, { visibility: 'private' }),
  unlisted: (doing) => say(doing, { visibility: 'unlisted' }),
  direct: ({ actor, other }) => actor.says(`@${other.username} hush`, { visibility: 'direct' }),
  mention: ({ actor, other }) => actor.says(`@${other.username} #tea`),
  poll: (doing) => say(doing, { poll }),
  picture: sayWithPicture,
  link: ({ actor }) => actor.says(`look: ${pages.at('/leaves')}`),
  schedule: ({ actor }) => actor.says('#tea later', { scheduled_at: new Date(world.clock.now() + 301_000).toISOString() }),
  profile: (doing) => changeProfile(doing, { display_name: `name ${doing.which}` }),
  lock: (doing) => changeProfile(doing, { locked: true }),
  unlock: (doing) => changeProfile(doing, { locked: false }),
  hide: (doing) => changeProfile(doing, { discoverable: false, indexable: false }),
  unhide: (doing) => changeProfile(doing, { discoverable: true, indexable: true }),
  note: ({ actor, other, which }) => actor.post(`/api/v1/accounts/${other.id}/note`, { comment: `note ${which}` }),
  read: ({ actor, which }) => actor.post('/api/v1/markers', { home: { last_read_id: String(which + 1) } }),
  accept: ({ actor, other }) => actor.post(`/api/v1/follow_requests/${other.id}/authorize`),
  filter: ({ actor }) => actor.post('/api/v2/filters', { title: 'tea', ...scope, keywords_attributes: [{ keyword: 'tea' }] }),
  'filter briefly': ({ actor }) =>
    actor.post('/api/v2/filters', { title: 'milk', ...scope, expires_in: 60, keywords_attributes: [{ keyword: 'milk' }] }),
  'change a filter': async ({ actor, which }) => {
    const filter = await filterOf(actor, which)
    if (filter) await actor.asks('PUT', `/api/v2/filters/${filter.id}`, { body: { title: `${which}`, filter_action: 'hide' } })
  },
  'drop a filter': async ({ actor, which }) => {
    const filter = await filterOf(actor, which)
    if (filter) await actor.asks('DELETE', `/api/v2/filters/${filter.id}`)
  },
  list: (doing) => onList('POST', doing),
  unlist: (doing) => onList('DELETE', doing),
  'follow a tag': ({ actor }) => actor.post('/api/v1/tags/milk/follow'),
  'unfollow a tag': ({ actor }) => actor.post('/api/v1/tags/milk/unfollow'),
  silence: ({ other }) => world.operator().setSilenced(innerCall(), { username: other.username, isSilenced: true }),
  unsilence: ({ other }) => world.operator().setSilenced(innerCall(), { username: other.username, isSilenced: false }),
  suspend: ({ other }) => world.operator().setSuspended(innerCall(), { username: other.username, isSuspended: true }),
  unsuspend: ({ other }) => world.operator().setSuspended(innerCall(), { username: other.username, isSuspended: false }),
  'person mute briefly': ({ actor, other }) => actor.post(`/api/v1/accounts/${other.id}/mute`, { duration: 60 }),
  wait: async () => world.clock.advance(40_000),
  'wait for polls': () => world.advance(301_000),
  idle: () => world.idle(),
}

/** Acts on a status. */
const ON_STATUS: Partial<Record<Act, (target: Said, doing: Doing) => Promise<unknown>>> = {
  reply: ({ id }, { actor }) => actor.post('/api/v1/statuses', { status: 're #tea', in_reply_to_id: id }),
  answer: async ({ id }, { actor, said }) => {
    const { body } = await actor.post('/api/v1/statuses', { status: 're', in_reply_to_id: id })
    if (body.id) said.push({ id: body.id, by: actor })
  },
  quote: ({ id }, { actor }) => actor.post('/api/v1/statuses', { status: 'look', quoted_status_id: id }),
  edit: ({ id, by, media }, { which }) =>
    by.asks('PUT', `/api/v1/statuses/${id}`, {
      body: { status: texts[which % texts.length], ...(media ? { media_ids: [media] } : { poll }) },
    }),
  'edit the poll away': ({ id, by }, { which }) =>
    by.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: texts[which % texts.length] } }),
  describe: async ({ media, by }, { which }) =>
    media && by.asks('PUT', `/api/v1/media/${media}`, { body: { description: `tea ${which}` } }),
  vote: async ({ poll: id }, { actor, which }) => id && actor.post(`/api/v1/polls/${id}/votes`, { choices: [which % 2] }),
  delete: ({ id, by }) => by.asks('DELETE', `/api/v1/statuses/${id}`),
  pin: ({ id, by }) => by.post(`/api/v1/statuses/${id}/pin`),
  unpin: ({ id, by }) => by.post(`/api/v1/statuses/${id}/unpin`),
  'filter a status': async ({ id }, { actor, which }) => {
    const filter = await filterOf(actor, which)
    if (filter) await actor.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: id })
  },
}

const tried = async (name: Act, doing: Doing): Promise<unknown> => {
  const { actor, other, target } = doing
  if (FREE[name]) return FREE[name](doing)
  if (name.startsWith('person ')) return actor.post(`/api/v1/accounts/${other.id}/${name.slice('person '.length)}`)
  if (!target) return undefined
  return ON_STATUS[name] ? ON_STATUS[name](target, doing) : actor.post(`/api/v1/statuses/${target.id}/${name}`)
}

const SUSPENDED = 'Your login is currently disabled'

/** The operator's error when the state to undo does not exist. */
const NOT_SO = 'The account is not '

/** Runs an act, and ignores the refusals for suspended people and for undoing a missing state. */
const act = (name: Act, doing: Doing) =>
  tried(name, doing).catch((error: Error) => {
    if (!error.message.includes(SUSPENDED) && !error.message.includes(NOT_SO)) throw error
  })

/** Statuses whose own pages are compared. */
const LATEST = 4

const openPagesOf = ({ people, said }: Scene): string[] => [
  '/api/v1/timelines/public?limit=40',
  '/api/v1/timelines/public?only_media=true',
  '/api/v1/timelines/public?local=true&limit=2',
  '/api/v1/timelines/tag/tea?limit=40',
  '/api/v1/timelines/tag/tea?any[]=milk&none[]=rain',
  '/api/v1/tags/tea',
  '/api/v1/trends/tags',
  '/api/v1/trends/statuses',
  '/api/v1/directory',
  '/api/v1/directory?order=new&local=true',
  ...people.flatMap(({ id }) => ['', '/followers', '/following', '/featured_tags'].map((part) => `/api/v1/accounts/${id}${part}`)),
  ...said
    .slice(-LATEST)
    .flatMap(({ id }) =>
      ['', '/context', '/favourited_by', '/reblogged_by', '/history', '/quotes'].map((part) => `/api/v1/statuses/${id}${part}`),
    ),
]

/** Pages of one account or status, which may be gone or hidden. */
const OF_ONE = /\/(accounts|statuses)\/\d/

const OWN_PAGES = [
  'accounts/verify_credentials',
  'accounts/search?q=fast',
  'accounts/search?q=name',
  'announcements',
  'blocks',
  'conversations',
  'endorsements',
  'filters',
  'follow_requests',
  'followed_tags',
  'lists',
  'markers?timeline[]=home',
  'mutes',
  'notifications/unread_count',
  'preferences',
  'profile',
  'scheduled_statuses',
].map((page) => `/api/v1/${page}`)

const pagesOf = (person: Person, scene: Scene): string[] => {
  const { people, lists } = scene
  const everyone = people.map(({ id }) => `id[]=${id}`).join('&')
  return [
    ...openPagesOf(scene),
    ...OWN_PAGES,
    '/api/v2/filters',
    '/api/v2/notifications',
    '/api/v2/search?q=fast',
    '/api/v2/search?q=hello',
    `/api/v1/accounts/relationships?${everyone}`,
    `/api/v1/accounts/familiar_followers?${everyone}`,
    '/api/v1/timelines/home?limit=3',
    '/api/v1/timelines/home?limit=40',
    `/api/v1/timelines/list/${lists[people.indexOf(person)]}?limit=40`,
    ...people.flatMap(({ id }) => [`/api/v1/accounts/${id}/statuses?limit=40`, `/api/v1/accounts/${id}/statuses?pinned=true`]),
    '/api/v1/favourites?limit=40',
    '/api/v1/bookmarks?limit=40',
    '/api/v2/search?type=statuses&q=tea',
    '/api/v1/notifications?limit=30',
  ]
}

const DAY = 86_400_000
/** Longer than any scene takes, by the world's clock. */
const MAX_SCENE = DAY / 4
/** No day may end between the two answers of a comparison: histories of tags begin with today. */
const beginBeforeDayEnds = () => {
  const left = DAY - (world.clock.now() % DAY)
  if (left < MAX_SCENE) world.clock.advance(left)
}

const openScene = async (round: number): Promise<Scene> => {
  beginBeforeDayEnds()
  const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `fast${round}_${index}`))) as Person[]
  for (const one of people) for (const other of people) if (one !== other) await one.follows(other)
  const lists = await Promise.all(people.map(async (one): Promise<string> => (await one.post('/api/v1/lists', { title: 'mine' })).body.id))
  await people[0]!.says('#tea')
  return { people, lists, said: [] }
}

/** Pages requested concurrently: more would wait for a database connection longer than a request may, while other tests run. */
const AT_ONCE = 8

/** Runs work for each item, several at once. */
const forEach = async <Each>(all: readonly Each[], work: (each: Each) => Promise<unknown>) => {
  const left = all.values()
  const workThrough = async () => {
    for (const each of left) await work(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough))
}

const lookAll = (scene: Scene) =>
  forEach(
    scene.people.flatMap((person) => pagesOf(person, scene).map((page) => ({ person, page }))),
    ({ person, page }) => person.get(page),
  )

/** Expects every page to equal that of a server without caches, for everyone. */
const expectAllAlike = async (scene: Scene) => {
  const expectAlike = async ({ page, by }: { page: string; by?: Person }) => {
    const asking = by ? { token: by.token } : {}
    const [warm, cold] = await Promise.all([world.asks('GET', page, asking), ask(forgetful.origin, 'GET', page, asking)])
    expect([page, warm.status, warm.body]).toEqual([page, cold.status, cold.body])
    if (warm.body.error !== SUSPENDED && !OF_ONE.test(page)) expect([page, warm.status]).toEqual([page, 200])
  }
  const owned = scene.people.flatMap((by) => pagesOf(by, scene).map((page) => ({ page, by })))
  await forEach([...owned, ...openPagesOf(scene).map((page) => ({ page }))], expectAlike)
}

let round = 0

/** The act that another one undoes. */
const before = (name: Act): Act | undefined => {
  const [, person = '', undone] = /^(person )?un(\w.*)$/.exec(name) ?? []
  return ACTS.find((name) => name === `${person}${undone}`)
}

const SINGLE = [...new Set(ACTS)].filter((name) => name !== 'look' && name !== 'idle')

test.each(SINGLE)('pages from memory are those that a server without memory gives, after: %s', async (name) => {
  const scene = await openScene(++round)
  const { people, lists, said } = scene
  const [author, actor] = people as [Person, Person]
  await say({ actor: author, other: actor, which: 0, target: undefined, list: '', said }, { poll })
  await sayWithPicture({ actor: author, other: actor, which: 0, target: undefined, list: '', said })
  await act('filter', { actor, other: author, which: 0, target: undefined, list: '', said })
  const asked = [...said]
  const doAll = async (one: Act) => {
    for (const target of asked) await act(one, { actor, other: author, which: 2, target, list: lists[1]!, said })
    await world.idle()
  }
  const undone = before(name)
  if (undone) await doAll(undone)
  await world.idle()
  await lookAll(scene)
  await doAll(name)
  await expectAllAlike(scene)
})

test('pages from memory are those that a server without memory gives, after any acts', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      const scene = await openScene(++round)
      const { people, lists, said } = scene
      for (const { act: name, by, on, which } of sequence) {
        if (name === 'look') await lookAll(scene)
        else
          await act(name, {
            actor: people[by]!,
            other: people[on]!,
            which,
            target: said[which % (said.length || 1)],
            list: lists[by]!,
            said,
          })
      }
      await world.advance(0)
      await lookAll(scene)
      await expectAllAlike(scene)
    }),
    { numRuns: 10, interruptAfterTimeLimit: 45_000 },
  )
}, 90_000)
