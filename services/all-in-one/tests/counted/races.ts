import type { Person } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'
import { type Facts, key, NOTHING } from './facts.ts'
import type { Act, Json, Maker } from './stage.ts'

// Which acts are done at once, and what the facts are after acts that raced on them.

const TOGETHER = 8

/** Facts about one record disappear with it, whatever came before. */
export const isDeletion = ({ method, path }: Act) => method === 'DELETE' && (path.startsWith('/api/v1/statuses/') || path === '/account')
const isChange = ({ method, path }: Act) => method === 'PUT' || path.includes('/admin/')

/** The facts that one act writes and another writes or reads, except that of a deletion. */
const clashes = (one: Act, other: Act): string[] => {
  const isForgotten = (isDeletion(one) || isDeletion(other)) && !isChange(one) && !isChange(other)
  const facts = [
    ...one.writes.filter((fact) => [...other.writes, ...other.reads].includes(fact)),
    ...other.writes.filter((fact) => one.reads.includes(fact)),
  ]
  return facts.filter((fact) => !(isForgotten && /^(status|account) /.test(fact)))
}

/** Whether those concerned can be asked what stands between them. */
const isAskable = (facts: Facts, fact: string) => {
  const [kind, ...ids] = fact.split(' ')
  return kind === 'pair' && ids.every((id) => facts.isShown(id))
}

/** Draws up to eight acts to be done at once, and the pairs of people on whom they race. */
export const drawTogether = (facts: Facts, next: Maker, random: Random): { acts: Act[]; raced: Set<string> } => {
  const acts: Act[] = []
  const raced = new Set<string>()
  for (let tries = 0; acts.length < TOGETHER && tries < 20; tries++) {
    const act = next()
    const clashing = act ? acts.flatMap((other) => clashes(act, other)) : []
    const isFit = clashing.every((fact) => isAskable(facts, fact)) && (clashing.length === 0 || random.chance(0.6))
    if (!act || !isFit) continue
    for (const fact of clashing) raced.add(fact)
    acts.push(act)
  }
  return { acts, raced }
}

const put = (set: Set<string>, member: string, is: boolean) => (is ? set.add(member) : set.delete(member))

/** Learns what one person has with another. */
const learn = async (facts: Facts, from: Person, to: Person) => {
  const pair = key(from.id, to.id)
  const [is]: Json[] = (await from.get(`/api/v1/accounts/relationships?id[]=${to.id}`)).body
  const options = { reblogs: is.showing_reblogs, notify: is.notifying, languages: is.languages ?? [] }
  facts.follows.delete(pair)
  facts.requests.delete(pair)
  if (is.following) facts.follows.set(pair, options)
  if (is.requested) facts.requests.set(pair, options)
  put(facts.blocks, pair, is.blocking)
  put(facts.endorsed, pair, is.endorsed)
  const notices: Json[] = (await from.get(`/api/v1/notifications?include_filtered=true&limit=30&account_id=${to.id}`)).body
  facts.withdraw(from.id, undefined, to.id)
  for (const { type, status } of notices) facts.notices.add(key(from.id, type, to.id, status?.id ?? NOTHING))
  const lists: Json[] = (await from.get(`/api/v1/accounts/${to.id}/lists`)).body
  for (const [id, { owner, members }] of facts.lists)
    if (owner === from.id)
      put(
        members,
        to.id,
        lists.some((list) => list.id === id),
      )
}

/** Learns what stands between people on whom acts raced: which act came first is not known. */
export const learnPairs = async (facts: Facts, people: readonly Person[], raced: Iterable<string>): Promise<void> => {
  for (const fact of raced) {
    const [one, other] = fact
      .split(' ')
      .slice(1)
      .map((id) => people.find((person) => person.id === id)!) as [Person, Person]
    // One of them left: nothing stands between them.
    if (!facts.isShown(one.id) || !facts.isShown(other.id)) continue
    await learn(facts, one, other)
    await learn(facts, other, one)
  }
}

/** What must not be, whichever act came first. */
export const contradictions = (facts: Facts): string[] => {
  const isFollow = (pair: string) => facts.follows.has(pair)
  const blocked = [...facts.blocks].flatMap((pair) => [pair, pair.split(' ').toReversed().join(' ')])
  const notices = [...facts.notices].map((notice) => notice.split(' ') as [string, string, string, string])
  const members = [...facts.lists.values()].flatMap(({ owner, members: ids }) =>
    [...ids].filter((id) => id !== owner).map((id) => key(owner, id)),
  )
  const found = {
    'a follow beside a block': blocked.filter((pair) => isFollow(pair) || facts.requests.has(pair)),
    'a follow beside a request': [...facts.requests.keys()].filter(isFollow),
    'an endorsement without a follow': [...facts.endorsed].filter((pair) => !isFollow(pair)),
    'a member of a list who is not followed': members.filter((pair) => !isFollow(pair)),
    'a notification beside a block': notices.filter(([to, , actor]) => facts.blocks.has(key(to, actor))),
    'a notification of a follow that is none': notices.filter(([to, type, actor]) => type === 'follow' && !isFollow(key(actor, to))),
  }
  return Object.entries(found).flatMap(([what, facts]) => facts.map((fact) => `${what}: ${fact}`))
}
