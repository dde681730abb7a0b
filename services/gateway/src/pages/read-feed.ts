import { AccountBody } from '@rookery/contracts/statuses'
import { notFound, orNotFound } from '@rookery/failures'
import { plainText } from '@rookery/markup'
import type { Feed } from './feed.ts'
import { excerpt } from './head.ts'
import { avatarOf, mayBeIndexed, nameOf } from './person.ts'
import { type Address, acctIn, type PageDeps } from './read.ts'
import { postsOf } from './read-posts.ts'

/** Posts per feed: the maximum of the API. */
const MAX_POSTS = 40

/** Reads a feed as anyone may see it. @throws Failure not_found if there is none */
export type ReadFeed = (address: Address, deps: Omit<PageDeps, 'query'>) => Promise<Feed>

/** Reads the latest posts of an account, without replies and boosts. */
export const readProfileFeed: ReadFeed = async (address, { call, frame, clients }) => {
  const { urls } = clients.render
  const account = AccountBody.decode(orNotFound(await clients.accounts.lookup(call, { acct: acctIn(address), viewerId: '' })).body)
  if (account.isSuspended || account.origin) throw notFound(`${account.username} is suspended or of another server`)
  const page = await clients.timelines.readAccount(call, {
    viewerId: '',
    accountId: account.id,
    excludeReplies: true,
    excludeReblogs: true,
    onlyMedia: undefined,
    pinned: undefined,
    tagged: undefined,
    page: { limit: MAX_POSTS },
  })
  const link = urls.profile(account.username)
  const handle = `@${account.username}@${frame.host}`
  return {
    title: nameOf(account),
    description: excerpt(plainText(account.note)) || handle,
    link,
    self: `${link}.rss`,
    image: avatarOf(account, urls),
    posts: postsOf(page),
    isIndexed: mayBeIndexed(account),
  }
}

/** Reads the latest public posts with a hashtag. */
export const readTagFeed: ReadFeed = async ({ tag = '' }, { call, frame, clients }) => {
  const { tags, timelines, render } = clients
  const [{ name, display }, page] = await Promise.all([
    tags.read(call, { name: tag, viewerId: '' }),
    timelines.readTag(call, { viewerId: '', name: tag, page: { limit: MAX_POSTS } }),
  ])
  const link = render.urls.tag(name)
  return {
    title: `#${display}`,
    description: `#${display} · ${frame.host}`,
    link,
    self: `${link}.rss`,
    posts: postsOf(page),
    isIndexed: false,
  }
}
