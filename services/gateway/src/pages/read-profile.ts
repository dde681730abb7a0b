import { AccountBody } from '@rookery/contracts/statuses'
import { notFound, orNotFound } from '@rookery/failures'
import { normaliseTag } from '@rookery/markup'
import { pagerOf, partOf } from './paging.ts'
import { peopleOf } from './people.ts'
import { type Profile, profilePage, type Shown, type Tab, tabAddress } from './profile-page.ts'
import { type Address, acctIn, type PageDeps, type Read } from './read.ts'
import { postsOf } from './read-posts.ts'

/** Posts and people per page. */
const MAX_POSTS = 20
const MAX_PEOPLE = 40

/** A promise of the person's display choices for their profile. */
type Choices = ReturnType<typeof readChoices>

/** Reads the tab of an account that is not suspended. */
type ReadShown = (account: AccountBody, deps: PageDeps, choices: Choices) => Promise<Shown>

const personOf = async (address: Address, { call, clients }: PageDeps): Promise<Omit<Profile, 'showsMedia'>> => {
  const view = orNotFound(await clients.accounts.lookup(call, { acct: acctIn(address), viewerId: '' }))
  return { account: AccountBody.decode(view.body), moved: view.moved && AccountBody.decode(view.moved.body) }
}

const readChoices = ({ id }: AccountBody, { call, clients }: PageDeps) => clients.accounts.readCredentials(call, { accountId: id })

const readPart =
  (readShown: ReadShown): Read =>
  async (address, deps) => {
    const person = await personOf(address, deps)
    const { account } = person
    const { origin, isSuspended } = account
    if (origin) return { status: 302, title: '', location: origin.url }
    const about = { frame: deps.frame, urls: deps.clients.render.urls }
    if (isSuspended) return profilePage({ ...person, showsMedia: false }, { kind: 'nothing' }, about)
    const choices = readChoices(account, deps)
    const [shown, { showMedia }] = await Promise.all([readShown(account, deps, choices), choices])
    return profilePage({ ...person, showsMedia: showMedia }, shown, about)
  }

/** The pinned posts, above the latest ones. */
const pinnedOf = async (account: AccountBody, { call, clients }: PageDeps) => {
  const asked = {
    viewerId: '',
    accountId: account.id,
    onlyMedia: undefined,
    excludeReplies: undefined,
    excludeReblogs: undefined,
    tagged: undefined,
  }
  const page = await clients.timelines.readAccount(call, { ...asked, pinned: true, page: { limit: MAX_POSTS } })
  return postsOf(page).map((said) => ({ ...said, isPinned: true }))
}

type Kind = { onlyMedia?: boolean; excludeReplies?: boolean; excludeReblogs?: boolean; tagged?: string }

const timelineOf = async (account: AccountBody, { call, clients, query }: PageDeps, given: { kind: Kind; address: string }) => {
  const part = partOf(query, MAX_POSTS)
  const { onlyMedia, excludeReplies, excludeReblogs, tagged } = given.kind
  const page = await clients.timelines.readAccount(call, {
    viewerId: '',
    accountId: account.id,
    onlyMedia,
    excludeReplies,
    excludeReblogs,
    tagged,
    pinned: undefined,
    page: part,
  })
  return { posts: postsOf(page), pager: pagerOf(given.address, part, page.cursors) }
}

const postsTab = (tab: Tab, kind: Kind): Read =>
  readPart(async (account, deps) => {
    const address = tabAddress(deps.clients.render.urls, account.username, tab)
    return { kind: 'posts', tab, timeline: await timelineOf(account, deps, { kind, address }) }
  })

const peopleTab = (tab: 'followers' | 'following', list: 'readFollowers' | 'readFollowing'): Read =>
  readPart(async (account, { call, clients, query }) => {
    if (account.hideCollections) return { kind: 'people', tab, people: 'hidden' }
    const part = partOf(query, MAX_PEOPLE)
    const page = await clients.graph[list](call, { accountId: account.id, viewerId: '', page: part })
    const pager = pagerOf(tabAddress(clients.render.urls, account.username, tab), part, page.cursors)
    return { kind: 'people', tab, people: { people: peopleOf(page), pager } }
  })

/** Reads the posts tab of a profile: pinned posts, and the latest. */
export const readProfile = readPart(async (account, deps) => {
  const address = tabAddress(deps.clients.render.urls, account.username, 'posts')
  const isFirst = !deps.query.has('max_id') && !deps.query.has('min_id')
  const [pinned, { posts, pager }] = await Promise.all([
    isFirst ? pinnedOf(account, deps) : [],
    timelineOf(account, deps, { kind: { excludeReplies: true }, address }),
  ])
  const pinnedIds = new Set(pinned.map(({ status }) => status.id))
  const others = posts.filter(({ status, boostedBy }) => boostedBy || !pinnedIds.has(status.id))
  return { kind: 'posts', tab: 'posts', timeline: { posts: [...pinned, ...others], pager } }
})
/** Reads the tab with replies. */
export const readWithReplies = postsTab('with_replies', {})
/** Reads the media tab, if the person shows one. */
export const readMedia = readPart(async (account, deps, choices) => {
  const { showMedia, showMediaReplies } = await choices
  if (!showMedia) throw notFound('the person shows no tab of media')
  const kind = { onlyMedia: true, excludeReblogs: true, excludeReplies: !showMediaReplies }
  const address = tabAddress(deps.clients.render.urls, account.username, 'media')
  return { kind: 'posts', tab: 'media', timeline: await timelineOf(account, deps, { kind, address }) }
})
export const readFollowers = peopleTab('followers', 'readFollowers')
export const readFollowing = peopleTab('following', 'readFollowing')

/** Reads the posts of a profile with a hashtag. */
export const readTagged: Read = async (address, deps) => {
  const tag = normaliseTag(address.tag ?? '')
  if (!tag) throw notFound(`${address.tag} is no tag`)
  const read = readPart(async (account) => {
    const kind = { tagged: tag }
    const here = deps.clients.render.urls.profileTag(account.username, tag)
    return { kind: 'tagged', tag, timeline: await timelineOf(account, deps, { kind, address: here }) }
  })
  return read(address, deps)
}
