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

const readProfile = async (call: Call, username: string, { accounts, timelines }: Clients): Promise<Profile> => {
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

/** /@name and /@name/id, as clients write them (beyond-the-spec 3.4), and the names that people and posts have among servers. */
const PATH = /^\/(?:@(\w{1,30})(?:\/(\d{1,19}))?|users\/(\w{1,30})(?:\/statuses\/(\d{1,19}))?)\/?$/

/** The page of an address, as anybody may see it. @throws Failure not_found where there is none */
export const readPage = async (path: string, given: { call: Call; frame: Frame; clients: Clients }): Promise<Page> => {
  const { call, frame, clients } = given
  const { urls } = clients.render
  if (path === '/') {
    const { title } = await clients.instance.read(call, {})
    return welcomePage(frame, { title, maySignUp: clients.config.registrations !== 'closed' })
  }
  const [, name, nameId, actor, actorId] = PATH.exec(path) ?? []
  const [username, id] = [name ?? actor, nameId ?? actorId]
  if (!username) throw notFound(`no page at ${path}`)
  if (id === undefined) return profilePage(await readProfile(call, username, clients), { frame, urls })
  if (!isId(id)) throw notFound(`${id} is no id`)
  return statusPage(openStatus(await clients.statuses.read(call, { id, viewerId: '' }), username), { frame, urls })
}
