import type { Answer } from '@rookery/test-world'
import { walk } from '@rookery/test-world/queries'
import { dayOf, type Facts, key, NOTHING } from './facts.ts'
import * as shown from './shown.ts'
import { type Json, TAGS } from './stage.ts'

// Asks the API for all that it counts and remembers, and compares it with the facts.

/** Someone who asks; the id is '' for an anonymous one. */
export type Viewer = { id: string; get: (path: string) => Promise<Answer> }

/** What an answer is compared with, and who asks. */
type Comparison = {
  facts: Facts
  viewer: Viewer
  now: number
  /** Chooses the statuses whose lists of people are read. */
  isChosen: () => boolean
}
type Asked = Comparison & { faults: string[]; count: { values: number } }

const compare = ({ facts, viewer, faults, count }: Asked, what: string, is: unknown, wanted: unknown) => {
  count.values += 1
  const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
  if (one !== other) faults.push(`${facts.accounts.get(viewer.id)?.username ?? 'anonymous'}: ${what} is ${one}, not ${other}`)
}

const compareFields = (asked: Asked, what: string, is: Json, wanted: object) => {
  for (const [field, value] of Object.entries(wanted)) compare(asked, `${what} ${field}`, is?.[field], value)
}

const present = (facts: Facts) => [...facts.accounts.values()].filter(({ isGone }) => !isGone)
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id).toSorted()
const namesOf = (tags: readonly { name: string }[]) => tags.map(({ name }) => name).toSorted()

/** Compares all pages of a list with the ids that it should have. */
const compareList = async (asked: Asked, path: string, wanted: readonly string[]) =>
  compare(asked, path, idsOf((await walk(asked.viewer, path)).flat()), wanted.toSorted())

const compareAccounts = async (asked: Asked) => {
  const { facts, viewer } = asked
  const query = [...facts.accounts.keys()].map((id) => `id[]=${id}`).join('&')
  const accounts: Json[] = (await viewer.get(`/api/v1/accounts?${query}`)).body
  compare(asked, 'accounts', idsOf(accounts), idsOf(present(facts)))
  for (const { id, username } of present(facts))
    compareFields(
      asked,
      username,
      accounts.find((each) => each.id === id),
      shown.accountShown(facts, id),
    )
  if (!viewer.id) return
  const relations: Json[] = (await viewer.get(`/api/v1/accounts/relationships?with_suspended=true&${query}`)).body
  const wanted = present(facts).map(({ id }) => shown.relationshipShown(facts, viewer.id, id))
  for (const each of wanted)
    compareFields(
      asked,
      `relationship to ${each.id}`,
      relations.find(({ id }) => id === each.id),
      each,
    )
}

const compareStatus = (asked: Asked, is: Json, { poll, ...wanted }: ReturnType<typeof shown.statusShown>) => {
  compareFields(asked, `status ${is.id}`, is, wanted)
  compare(asked, `status ${is.id} has a poll:`, is.poll !== null, poll !== null)
  if (is.poll?.own_votes) is.poll.own_votes.sort()
  if (poll) compareFields(asked, `poll ${is.id}`, is.poll, poll)
}

const compareStatuses = async (asked: Asked) => {
  const { facts, viewer, now } = asked
  const all = [...facts.statuses.values()].filter(({ boostOf }) => boostOf === undefined)
  for (let start = 0; start < all.length; start += 20) {
    const some = all.slice(start, start + 20)
    const answer: Json[] = (await viewer.get(`/api/v1/statuses?${some.map(({ id }) => `id[]=${id}`).join('&')}`)).body
    compare(asked, 'statuses', idsOf(answer), idsOf(some.filter((said) => facts.mayOpen(viewer.id, said))))
    for (const is of answer) {
      const said = facts.statuses.get(is.id)!
      compareStatus(asked, is, shown.statusShown(facts, viewer.id, said, now))
      compare(asked, `tags of ${is.id}`, namesOf(is.tags), said.tags.toSorted())
    }
  }
}

const compareListsOfStatuses = async (asked: Asked) => {
  const { facts, viewer, isChosen } = asked
  for (const said of facts.statuses.values()) {
    if (said.boostOf !== undefined || !facts.mayOpen(viewer.id, said) || !isChosen()) continue
    const path = `/api/v1/statuses/${said.id}`
    for (const [list, wanted] of Object.entries(shown.actorsShown(facts, viewer.id, said.id)))
      await compareList(asked, `${path}/${list}`, wanted)
    if (viewer.id) await compareList(asked, `${path}/quotes`, shown.quotesShown(facts, viewer.id, said.id))
  }
}

const compareListsOfAccounts = async (asked: Asked) => {
  const { facts, viewer } = asked
  for (const { id, username } of present(facts)) {
    const path = `/api/v1/accounts/${id}`
    for (const [list, wanted] of Object.entries(shown.followsShown(facts, viewer.id, id)))
      await compareList(asked, `${path}/${list}`, wanted)
    const tags: Json[] = (await viewer.get(`${path}/featured_tags`)).body
    for (const wanted of shown.featuredTagsShown(facts, id))
      compareFields(
        asked,
        `${username}'s #${wanted.name}`,
        tags.find(({ name }) => name === wanted.name),
        wanted,
      )
    compare(asked, `${username}'s featured tags`, namesOf(tags), namesOf(shown.featuredTagsShown(facts, id)))
    const pins = [...facts.statuses.values()].filter((said) => facts.pins.has(key(id, said.id)) && facts.mayOpen(viewer.id, said))
    await compareList(asked, `${path}/statuses?pinned=true`, idsOf(pins))
  }
}

const compareRequests = async (asked: Asked) => {
  const { facts, viewer } = asked
  const { body } = await viewer.get('/api/v1/accounts/verify_credentials')
  compareFields(asked, 'verify_credentials', body, shown.accountShown(facts, viewer.id))
  const requesters = facts.requesters(viewer.id)
  compare(asked, 'follow_requests_count', body.source.follow_requests_count, requesters.length)
  await compareList(
    asked,
    '/api/v1/follow_requests',
    requesters.filter((id) => facts.isShown(id)),
  )
}

const compareOwnLists = async (asked: Asked) => {
  const { facts, viewer } = asked
  for (const [list, marks] of [
    ['favourites', facts.favourites],
    ['bookmarks', facts.bookmarks],
  ] as const)
    await compareList(asked, `/api/v1/${list}?limit=7`, shown.markedShown(facts, viewer.id, marks))
  for (const [list, pairs] of [
    ['blocks', facts.blocks],
    ['mutes', facts.mutes],
    ['endorsements', facts.endorsed],
  ] as const) {
    const listed = present(facts).filter(({ id }) => facts.isShown(id) && pairs.has(key(viewer.id, id)))
    await compareList(asked, `/api/v1/${list}`, idsOf(listed))
  }
  for (const [id, { owner, members }] of facts.lists) {
    const listed = [...members].filter((member) => facts.isShown(member))
    if (owner === viewer.id) await compareList(asked, `/api/v1/lists/${id}/accounts?limit=3`, listed)
  }
}

const TYPES = ['mention', 'reblog', 'favourite', 'follow', 'follow_request', 'quote']

/** Compares all notifications, with those that the recipient's policy filters. */
const compareNotices = async (asked: Asked) => {
  const query = `include_filtered=true&limit=20${TYPES.map((type) => `&types[]=${type}`).join('')}`
  const notices: Json[] = (await walk(asked.viewer, `/api/v1/notifications?${query}`)).flat()
  const is = notices.map(({ type, account, status }) => key(type, account.id, status?.id ?? NOTHING))
  const wanted = shown.noticesShown(asked.facts, asked.viewer.id)
  const without = (some: readonly string[], others: readonly string[]) => some.filter((each) => !others.includes(each))
  compare(asked, 'notifications, those in excess', without(is, wanted), [])
  compare(asked, 'notifications, those missing', without(wanted, is), [])
  compare(asked, 'notifications, how many', is.length, wanted.length)
}

const compareTags = async (asked: Asked) => {
  const { facts, viewer, now } = asked
  for (const name of TAGS) {
    const { history, following, featuring } = (await viewer.get(`/api/v1/tags/${name}`)).body
    compare(asked, `#${name} history`, history, shown.tagHistoryShown(facts, name, dayOf(now)))
    const mark = key(viewer.id, name)
    const wanted = viewer.id ? [facts.followedTags.has(mark), facts.featuredTags.has(mark)] : [undefined, undefined]
    compare(asked, `#${name} following, featuring`, [following, featuring], wanted)
  }
  if (!viewer.id) return
  const followed = TAGS.filter((name) => facts.followedTags.has(key(viewer.id, name)))
  compare(asked, 'followed tags', namesOf((await viewer.get('/api/v1/followed_tags')).body), followed.toSorted())
}

/** Compares all that a viewer is shown with the facts; returns the differences, and how many values were compared. */
export const differences = async (comparison: Comparison): Promise<{ faults: string[]; values: number }> => {
  const asked: Asked = { ...comparison, faults: [], count: { values: 0 } }
  const parts = [compareAccounts, compareStatuses, compareListsOfStatuses, compareListsOfAccounts, compareTags]
  const own = [compareRequests, compareOwnLists, compareNotices]
  for (const part of comparison.viewer.id ? [...parts, ...own] : parts) await part(asked)
  return { faults: asked.faults, values: asked.count.values }
}
