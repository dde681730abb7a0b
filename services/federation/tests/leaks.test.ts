import { Visibility } from '@rookery/contracts/statuses'
import type { Person } from '@rookery/test-world'
import { randomFrom } from '@rookery/test-world/random'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isShown, type JudgedStatus } from '../../statuses/src/audience/index.ts'
import { openAmongStrangers } from './strangers.ts'
import { found } from './two-servers.ts'

// Compares the deliveries caused by random acts with the pure rule of who may see a status: each word of a status reaches only servers
// where someone may see it, and a status reaches all recipients that it concerns and who may see it.

vi.setConfig({ testTimeout: 120_000 })

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const ACTS = 40

type Among = Awaited<ReturnType<typeof openAmongStrangers>>
type Stranger = ReturnType<Among['stranger']>

let among: Among
let people: Person[]
let strangers: Stranger[]
/** The accounts of strangers on our server. */
const accounts = new Map<Stranger, { id: string; acct: string }>()

beforeAll(async () => {
  among = await openAmongStrangers()
  people = Object.values(await among.world.cast('mara', 'joel', 'kim'))
  strangers = [
    among.stranger('ann', 'a.example'),
    among.stranger('bea', 'a.example'),
    ...['cem', 'dora', 'eve'].map((name) => among.stranger(name)),
  ]
  for (const stranger of strangers) accounts.set(stranger, await found(people[0]!, stranger.uri))
}, 120_000)
afterAll(() => among?.close())

const VISIBILITIES = { public: Visibility.PUBLIC, unlisted: Visibility.UNLISTED, private: Visibility.PRIVATE, direct: Visibility.DIRECT }
const NAMES = Object.keys(VISIBILITIES) as (keyof typeof VISIBILITIES)[]

type Post = JudgedStatus & { uri: string; author: Person; mentioned: Set<Stranger>; poll?: { options: string[] } }

/** The state that the pure rule needs, from the acts so far. */
const model = () => {
  const posts = new Map<string, Post>()
  const follows = new Set<string>()
  const blocks = new Set<string>()
  const pair = (one: { uri: string } | Person, other: { uri: string } | Person) =>
    [one, other].map((each) => ('uri' in each ? each.uri : each.id)).join(' ')
  const maySee = (stranger: Stranger, post: Post): boolean => {
    const ties = {
      heads: posts,
      followed: new Set(people.filter((person) => follows.has(pair(stranger, person))).map(({ id }) => id)),
      mentioned: new Set([...posts.values()].filter(({ mentioned }) => mentioned.has(stranger)).map(({ id }) => id)),
    }
    const sets = {
      blocking: new Set(people.filter((person) => blocks.has(pair(stranger, person))).map(({ id }) => id)),
      blockedBy: new Set(people.filter((person) => blocks.has(pair(person, stranger))).map(({ id }) => id)),
      muted: new Set<string>(),
      blockedDomains: new Set<string>(),
    }
    return isShown(post.id, ties, stranger.uri, sets, 'direct')
  }
  return {
    posts,
    follows,
    blocks,
    pair,
    maySee,
    isApart: (stranger: Stranger, person: Person) => blocks.has(pair(stranger, person)) || blocks.has(pair(person, stranger)),
    /** The hosts of the recipients that a new status concerns and who may see it. */
    hostsOf: (post: Post) =>
      new Set(
        strangers
          .filter((each) => post.mentioned.has(each) || (post.visibility !== Visibility.DIRECT && follows.has(pair(each, post.author))))
          .filter((each) => maySee(each, post))
          .map(({ host }) => host),
      ),
  }
}

test(`no server gets a word that no one there may see, and all get what is for them (FUZZ_SEED=${SEED})`, async () => {
  const random = randomFrom(SEED)
  const state = model()
  /** The status of each word. */
  const words = new Map<string, Post>()
  const done: string[] = []
  let made = 0
  let seen = among.servers.posted().length
  const checked = { closed: 0, open: 0 }

  const newWord = () => `w${++made}w`
  const handles = (mentioned: readonly Stranger[]) => mentioned.map((each) => `@${accounts.get(each)!.acct}`).join(' ')
  const someStrangers = () => strangers.filter(() => random.chance(0.2))
  const existing = () => [...state.posts.values()]

  /** Checks the new deliveries: which words arrived at which hosts. */
  const check = () => {
    const arrived = among.servers.posted().slice(seen)
    seen += arrived.length
    const hosts = new Map<string, Set<string>>()
    for (const { host, body } of arrived) {
      for (const [word] of new Set(
        body
          .toString()
          .match(/\bw\d+w\b/g)
          ?.map((each) => [each]) ?? [],
      )) {
        const post = words.get(word!)!
        const here = strangers.filter((stranger) => stranger.host === host)
        const isSeen = here.some((stranger) => state.maySee(stranger, post))
        expect({ word, host, isSeen, acts: isSeen ? [] : done.slice(-5) }).toEqual({ word, host, isSeen: true, acts: [] })
        hosts.set(word!, (hosts.get(word!) ?? new Set()).add(host))
        checked[post.visibility === Visibility.PUBLIC || post.visibility === Visibility.UNLISTED ? 'open' : 'closed']++
      }
    }
    return hosts
  }

  const posts = async () => {
    const author = random.of(people)
    const visibility = random.of(NAMES)
    const mentioned = someStrangers()
    const word = newWord()
    const options = random.chance(0.2) ? [`${word} yes`, `${word} no`] : undefined
    const status = await author.says(`${word} ${handles(mentioned)}`, {
      visibility,
      ...(options && { poll: { options, expires_in: 86_400 } }),
    })
    const post: Post = {
      ...{ id: status.id, uri: status.uri, author, authorId: author.id, authorDomain: undefined, visibility: VISIBILITIES[visibility] },
      ...{
        reblogOfId: undefined,
        isAuthorSilenced: false,
        isAuthorSuspended: false,
        mentioned: new Set(mentioned.filter((each) => !state.isApart(each, author))),
      },
      ...(options && { poll: { options } }),
    }
    state.posts.set(post.id, post)
    words.set(word, post)
    await among.idle()
    const hosts = check().get(word) ?? new Set()
    expect({ word, visibility, hosts: [...hosts].sort(), acts: done.slice(-5) }).toEqual({
      ...{ word, visibility, hosts: [...state.hostsOf(post)].sort(), acts: done.slice(-5) },
    })
    return `${author.username} posts ${word} ${visibility} to ${mentioned.map(({ name }) => name)}`
  }

  const edits = async () => {
    const post = random.of(existing())
    const word = newWord()
    const mentioned = random.chance(0.5) ? [...post.mentioned] : someStrangers()
    words.set(word, post)
    const { status } = await post.author.asks('PUT', `/api/v1/statuses/${post.id}`, { body: { status: `${word} ${handles(mentioned)}` } })
    for (const each of mentioned) if (!state.isApart(each, post.author)) post.mentioned.add(each)
    return `${post.author.username} edits ${post.id} to ${word} (${status})`
  }

  const deletes = async () => {
    const post = random.of(existing())
    await post.author.asks('DELETE', `/api/v1/statuses/${post.id}`)
    return `${post.author.username} deletes ${post.id}`
  }

  const boosts = async () => {
    const post = random.of(existing())
    const booster = random.of(people)
    const { status } = await booster.post(`/api/v1/statuses/${post.id}/reblog`)
    return `${booster.username} boosts ${post.id} (${status})`
  }

  const pins = async () => {
    const post = random.of(existing())
    const { status } = await post.author.post(`/api/v1/statuses/${post.id}/${random.of(['pin', 'unpin'])}`)
    return `${post.author.username} pins or unpins ${post.id} (${status})`
  }

  const votes = async () => {
    const post = existing().findLast(({ poll }) => poll)
    const stranger = random.of(strangers)
    if (!post) return 'no one votes'
    const vote = {
      type: 'Note',
      attributedTo: stranger.uri,
      name: post.poll!.options[0],
      inReplyTo: post.uri,
      to: [among.actorOf(post.author.username)],
    }
    await among.sends(stranger, { type: 'Create', object: { id: `${stranger.origin}/votes/${++made}`, ...vote } })
    await among.world.advance(10 * 60_000)
    return `${stranger.name} votes in ${post.id}`
  }

  const follows = async () => {
    const [stranger, person] = [random.of(strangers), random.of(people)]
    if (state.isApart(stranger, person)) return 'no one follows'
    await among.sends(stranger, { type: 'Follow', object: among.actorOf(person.username) })
    state.follows.add(state.pair(stranger, person))
    return `${stranger.name} follows ${person.username}`
  }

  const unfollows = async () => {
    const [stranger, person] = [random.of(strangers), random.of(people)]
    const object = { type: 'Follow', actor: stranger.uri, object: among.actorOf(person.username) }
    await among.sends(stranger, { type: 'Undo', object })
    state.follows.delete(state.pair(stranger, person))
    return `${stranger.name} unfollows ${person.username}`
  }

  const blocks = async () => {
    const [stranger, person] = [random.of(strangers), random.of(people)]
    state.follows.delete(state.pair(stranger, person))
    if (random.chance(0.5)) {
      await person.post(`/api/v1/accounts/${accounts.get(stranger)!.id}/block`)
      state.blocks.add(state.pair(person, stranger))
      return `${person.username} blocks ${stranger.name}`
    }
    await among.sends(stranger, { type: 'Block', object: among.actorOf(person.username) })
    state.blocks.add(state.pair(stranger, person))
    return `${stranger.name} blocks ${person.username}`
  }

  const unblocks = async () => {
    const [stranger, person] = [random.of(strangers), random.of(people)]
    await person.post(`/api/v1/accounts/${accounts.get(stranger)!.id}/unblock`)
    state.blocks.delete(state.pair(person, stranger))
    return `${person.username} unblocks ${stranger.name}`
  }

  const ACT = [posts, posts, posts, edits, edits, deletes, boosts, pins, votes, follows, follows, follows, unfollows, blocks, unblocks]
  for (const act of [...Array.from({ length: 6 }, () => follows), ...Array.from({ length: 3 }, () => posts)]) done.push(await act())
  for (let count = 0; count < ACTS; count++) {
    const act = random.of(ACT)
    done.push(await act())
    await among.idle()
    check()
    const deleted = act === deletes && /deletes (\d+)/.exec(done.at(-1)!)?.[1]
    if (deleted) state.posts.delete(deleted)
    if (state.posts.size === 0) done.push(await posts())
  }
  expect(checked.closed).toBeGreaterThan(0)
  expect(checked.open).toBeGreaterThan(0)
})
