import { AccountBody, StatusBody, type StatusItem, type StatusPage } from '@rookery/contracts/statuses'
import { notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { openStatus } from '../open-status.ts'
import type { Frame, Page } from './page.ts'
import { type Profile, profilePage } from './profile-page.ts'
import type { Said } from './status.ts'
import { statusPage } from './status-page.ts'
import { welcomePage } from './welcome-page.ts'

/** Posts on a profile's page. */
const POSTS = 20

/** What an item of a page shows: for a boost what is boosted. Undefined when a part of it is missing. */
const saidOf = ({ statuses, accounts }: StatusPage, item: StatusItem): Said | undefined => {
  const accountOf = (id: string | undefined) => accounts.find((view) => view.id === id)
  const shownId = item.reblogOfId || item.id
  const view = statuses.find(({ id }) => id === shownId)
  const wrapper = item.reblogOfId ? statuses.find(({ id }) => id === item.id) : undefined
  const author = accountOf(view?.accountId)
  const booster = accountOf(wrapper?.accountId)
  const overlay = item.reblogOfId ? item.reblogOverlay : item.overlay
  if (!view || !author || !overlay) return undefined
  const [status, account] = [StatusBody.decode(view.body), AccountBody.decode(author.body)]
  return { status, account, overlay, boostedBy: booster && AccountBody.decode(booster.body) }
}

const profileOf = async (call: Call, username: string, { accounts, timelines }: Clients): Promise<Profile> => {
  const view = orNotFound(await accounts.lookup(call, { acct: username, viewerId: '' }))
  const account = AccountBody.decode(view.body)
  const moved = view.moved && AccountBody.decode(view.moved.body)
  if (account.isSuspended) return { account, moved, posts: [] }
  const wanted = { viewerId: '', accountId: view.id, excludeReplies: true, page: { limit: POSTS } }
  const page = await timelines.readAccount(call, {
    ...wanted,
    onlyMedia: undefined,
    excludeReblogs: undefined,
    pinned: undefined,
    tagged: undefined,
  })
  return { account, moved, posts: page.items.flatMap((item) => saidOf(page, item) ?? []) }
}

/** What a page is made from. */
export type PageDeps = { call: Call; frame: Frame; clients: Clients }

/** The names that people and posts have in addresses, as clients write them and as servers do (beyond-the-spec 3.4). */
type Address = { name?: string | undefined; id?: string | undefined }

/** @throws Failure not_found for what cannot be a name */
const usernameOf = ({ name = '' }: Address): string => {
  if (!/^\w{1,30}$/.test(name)) throw notFound(`${name} is no name`)
  return name
}

/** The page at `/`. */
export const readWelcome = async ({ call, frame, clients }: PageDeps): Promise<Page> => {
  const { title } = await clients.instance.read(call, {})
  return welcomePage(frame, { title, maySignUp: clients.config.registrations !== 'closed' })
}

/** The page of a profile, as anyone may see it. @throws Failure not_found where there is none */
export const readProfile = async (address: Address, { call, frame, clients }: PageDeps): Promise<Page> =>
  profilePage(await profileOf(call, usernameOf(address), clients), { frame, urls: clients.render.urls })

/** The page of a post, as anyone may see it. @throws Failure not_found where there is none */
export const readPost = async (address: Address, { call, frame, clients }: PageDeps): Promise<Page> => {
  const { id = '' } = address
  const username = usernameOf(address)
  if (!isId(id)) throw notFound(`${id} is no id`)
  const { urls } = clients.render
  return statusPage(openStatus(await clients.statuses.read(call, { id, viewerId: '' }), username), { frame, urls })
}
