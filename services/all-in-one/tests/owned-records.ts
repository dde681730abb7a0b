import type { endpoints } from '@rookery/gateway'
import type { Person, World } from '@rookery/test-world'
import { announces, reacts } from '@rookery/test-world/announcing'
import { query, STORED_CARD } from '@rookery/test-world/queries'

// The records that paths and parameters of the API refer to, for the access tests, which fail for a new route until it is added here.

export type Endpoint = (typeof endpoints)[number]

/** The people: `owner` has the record, `other` does not, `friend` is followed and read by both, `staff` owns the server. */
export type Cast = { world: World; owner: Person; other: Person; friend: Person; staff: Person }

/** Creates a record of the owner's that no one else may see, and returns its id. */
type Build = (cast: Cast) => Promise<string>

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
const made = async (answer: Promise<{ status: number; text: string; body: any }>): Promise<any> => {
  const { status, text, body } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body
}

/** A picture of one pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const picture = () => {
  const form = new FormData()
  form.set('file', new File([PICTURE], 'a.png', { type: 'image/png' }))
  return form
}

let count = 0
const HOUR = 3_600_000

const status: Build = async ({ owner }) => (await owner.says('hidden', { visibility: 'private' })).id
const list: Build = async ({ owner, friend }) => {
  const { id } = await made(owner.post('/api/v1/lists', { title: 'hidden' }))
  await made(owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [friend.id] }))
  return id
}
const filterWithKeyword = ({ owner }: Cast) => {
  const body = { title: `hidden ${++count}`, context: ['home'], keywords_attributes: [{ keyword: 'hidden' }] }
  return made(owner.post('/api/v2/filters', body))
}
const filter: Build = async (cast) => (await filterWithKeyword(cast)).id
const keyword: Build = async (cast) => (await filterWithKeyword(cast)).keywords[0].id
const filterStatus: Build = async (cast) => {
  const said = await cast.friend.says('shown')
  return (await made(cast.owner.post(`/api/v2/filters/${await filter(cast)}/statuses`, { status_id: said.id }))).id
}
const scheduled: Build = async ({ owner, world }) => {
  const scheduled_at = new Date(world.clock.now() + HOUR).toISOString()
  return (await made(owner.post('/api/v1/statuses', { status: 'hidden', scheduled_at }))).id
}
const media: Build = async ({ owner }) => (await made(owner.post('/api/v2/media', picture()))).id
const poll: Build = async ({ owner, friend }) => {
  const choices = { options: ['a', 'b'], expires_in: 3600 }
  return (await friend.says(`@${owner.username} hidden`, { visibility: 'direct', poll: choices })).poll.id
}
const featuredTag: Build = async ({ owner }) => (await made(owner.post('/api/v1/featured_tags', { name: `hidden${++count}` }))).id
/** The emoji of the owner's reaction, for paths with one beside a record. */
const EMOJI = '🎉'
const announcement: Build = async ({ world, owner, other }) => {
  const { id } = await announces(world, `hidden ${++count}`)
  for (const person of [owner, other]) await made(reacts(person, id, EMOJI))
  return id
}
const conversation: Build = async ({ world, owner, friend }) => {
  const { id } = await friend.says(`@${owner.username} hidden`, { visibility: 'direct' })
  await world.idle()
  const conversations = await made(owner.get('/api/v1/conversations'))
  return conversations.find((each: { last_status: { id: string } }) => each.last_status.id === id).id
}
const notification: Build = async (cast) => {
  const { world, owner, friend } = cast
  await friend.reacts('favourite', await owner.says('shown', { visibility: 'public' }))
  await world.idle()
  return (await owner.notifications('?types[]=favourite'))[0].id
}
const group: Build = async (cast) => {
  const { owner } = cast
  await notification(cast)
  return (await made(owner.get('/api/v2/notifications?types[]=favourite'))).notification_groups[0].group_key
}
const notificationRequest: Build = async ({ world, owner }) => {
  const stranger = await world.person(`stranger_${++count}`)
  await stranger.says(`@${owner.username} hidden`, { visibility: 'direct' })
  await world.idle()
  return (await made(owner.get('/api/v1/notifications/requests')))[0].id
}
const followRequest: Build = async ({ world, owner }) => {
  const asking = await world.person(`asking_${++count}`)
  await made(owner.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } }))
  await asking.follows(owner)
  return asking.id
}
const account: Build = async ({ world, owner, other }) => {
  const followed = await world.person(`followed_${++count}`)
  for (const person of [owner, other]) await person.follows(followed)
  return followed.id
}

/** A linked page, which a moderator may find among trends. */
const trendingLink: Build = async ({ world, owner }) => {
  const url = `https://linked${++count}.example/`
  await owner.says(url, { visibility: 'public' })
  await world.idle()
  const rows = await query(
    world,
    `with page as (update statuses.preview_card set card = $2 where url = $1 returning digest)
     insert into statuses.trend (kind, key) select 'link', digest from page returning id`,
    [url, JSON.stringify(STORED_CARD)],
  )
  return rows[0].id
}
const publisher: Build = async ({ world }) => {
  const given = [`published${++count}.example`]
  return (await query(world, 'insert into statuses.publisher (domain, requested_at) values ($1, now()) returning id', given))[0].id
}
const tag: Build = async ({ owner }) => {
  const name = `tagged${++count}`
  await owner.says(`#${name}`, { visibility: 'public' })
  return (await made(owner.get(`/api/v1/tags/${name}`))).id
}
const openStatus: Build = async ({ owner }) => (await owner.says('shown', { visibility: 'public' })).id
/** The statuses that quote others, by the quoted status. */
const quoting = new Map<string, string>()
const quotedStatus: Build = async (cast) => {
  const id = await status(cast)
  quoting.set(id, (await cast.owner.says('hidden', { visibility: 'private', quoted_status_id: id })).id)
  return id
}
const staffRecord =
  (kind: string, body: (number: number) => object): Build =>
  async ({ staff }) =>
    (await made(staff.post(`/api/v1/admin/${kind}`, body(++count)))).id
const domainBlock = staffRecord('domain_blocks', (number) => ({ domain: `blocked${number}.example` }))
const domainAllow = staffRecord('domain_allows', (number) => ({ domain: `allowed${number}.example` }))
const emailDomainBlock = staffRecord('email_domain_blocks', (number) => ({ domain: `mail${number}.example` }))
const ipBlock = staffRecord('ip_blocks', (number) => ({ ip: `2001:db8::${number}`, severity: 'sign_up_block' }))
const canonicalEmailBlock = staffRecord('canonical_email_blocks', (number) => ({ email: `blocked${number}@example.org` }))

const report: Build = async ({ owner, other }) => (await made(owner.post('/api/v1/reports', { account_id: other.id }))).id

/** A record that a path names; `isOpen` if everyone may see it, so that only a missing one is not found. */
type Named = { build: Build; isOpen?: boolean }

/** Records by path prefix, or by endpoint if it needs another one. */
export const RECORDS: Readonly<Record<string, Named>> = {
  '/api/v1/accounts/:id': { build: account, isOpen: true },
  '/api/v1/admin/accounts/:id': { build: account, isOpen: true },
  '/api/v1/admin/canonical_email_blocks/:id': { build: canonicalEmailBlock },
  '/api/v1/admin/email_domain_blocks/:id': { build: emailDomainBlock },
  '/api/v1/admin/ip_blocks/:id': { build: ipBlock },
  '/api/v1/admin/domain_allows/:id': { build: domainAllow },
  '/api/v1/admin/domain_blocks/:id': { build: domainBlock },
  '/api/v1/admin/tags/:id': { build: tag, isOpen: true },
  '/api/v1/admin/trends/links/:id': { build: trendingLink },
  '/api/v1/admin/trends/links/publishers/:id': { build: publisher },
  '/api/v1/admin/trends/statuses/:id': { build: openStatus, isOpen: true },
  '/api/v1/admin/trends/tags/:id': { build: tag, isOpen: true },
  '/api/v1/announcements/:id': { build: announcement, isOpen: true },
  '/api/v1/admin/reports/:id': { build: report },
  '/api/v1/conversations/:id': { build: conversation },
  '/api/v1/featured_tags/:id': { build: featuredTag },
  '/api/v1/filters/:id': { build: keyword },
  '/api/v1/follow_requests/:id': { build: followRequest },
  '/api/v1/lists/:id': { build: list },
  '/api/v1/media/:id': { build: media },
  '/api/v1/notifications/:id': { build: notification },
  '/api/v1/notifications/requests/:id': { build: notificationRequest },
  '/api/v1/polls/:id': { build: poll },
  '/api/v1/scheduled_statuses/:id': { build: scheduled },
  '/api/v1/statuses/:id': { build: status },
  'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke': { build: quotedStatus },
  '/api/v1/timelines/list/:list_id': { build: list },
  '/api/v2/notifications/:group_key': { build: group },
  '/api/v2/filters/:filter_id': { build: filter },
  '/api/v2/filters/:id': { build: filter },
  '/api/v2/filters/keywords/:id': { build: keyword },
  '/api/v2/filters/statuses/:id': { build: filterStatus },
}

const recordPath = ({ path }: Pick<Endpoint, 'path'>) =>
  path.slice(0, path.indexOf(':') + path.slice(path.indexOf(':')).split('/', 1)[0]!.length)

/** The record that the path of an endpoint names. */
export const recordOf = (endpoint: Pick<Endpoint, 'method' | 'path'>): Named | undefined =>
  RECORDS[`${endpoint.method} ${endpoint.path}`] ?? RECORDS[recordPath(endpoint)]

/** The path of an endpoint with a record's id; further parameters are an emoji, or a quote of the record. */
export const pathTo = ({ path }: Pick<Endpoint, 'path'>, id: string): string =>
  path
    .replace(/:\w+/, encodeURIComponent(id))
    .replace(':name', encodeURIComponent(EMOJI))
    .replace(':quoting_status_id', quoting.get(id) ?? encodeURIComponent(id))

/** Paths whose parameter names no record: words, and ids that may be dismissed without existing. */
export const NO_RECORDS = [
  '/api/v1/annual_reports/:year',
  '/api/v1/invites/:code',
  '/api/v1/instance/terms_of_service/:date',
  '/api/v1/tags/:name',
  '/api/v1/timelines/tag/:hashtag',
  '/api/v1/suggestions/:account',
]

/** The body that an endpoint needs for a successful call by the owner. */
export const BODIES: Readonly<Record<string, (cast: Cast) => Promise<object> | object>> = {
  'PUT /api/v1/admin/ip_blocks/:id': () => ({ comment: 'changed' }),
  'PUT /api/v1/admin/tags/:id': () => ({ usable: true, listable: true, trendable: true }),
  'PUT /api/v1/statuses/:id': () => ({ status: 'changed' }),
  'PUT /api/v1/statuses/:id/interaction_policy': () => ({ quote_approval_policy: 'nobody' }),
  'PUT /api/v1/lists/:id': () => ({ title: 'changed' }),
  'POST /api/v1/lists/:id/accounts': async (cast) => ({ account_ids: [await account(cast)] }),
  'DELETE /api/v1/lists/:id/accounts': ({ friend }) => ({ account_ids: [friend.id] }),
  'PUT /api/v1/media/:id': () => ({ description: 'changed' }),
  'PUT /api/v1/filters/:id': () => ({ phrase: 'changed', context: ['home'] }),
  'PUT /api/v2/filters/:id': () => ({ title: 'changed' }),
  'POST /api/v2/filters/:filter_id/keywords': () => ({ keyword: 'more' }),
  'PUT /api/v2/filters/keywords/:id': () => ({ keyword: 'changed' }),
  'POST /api/v2/filters/:filter_id/statuses': async ({ friend }) => ({ status_id: (await friend.says('shown')).id }),
  'PUT /api/v1/scheduled_statuses/:id': () => ({ status: 'changed' }),
  'POST /api/v1/polls/:id/votes': () => ({ choices: [0] }),
  'POST /api/v1/statuses': () => ({ status: `said ${++count}` }),
  'POST /api/v1/admin/accounts/:id/action': () => ({ type: 'none', text: 'Be kind', send_email_notification: false }),
  'POST /api/v1/reports': ({ owner }) => ({ account_id: owner.id }),
}

/** The status codes for the owner other than success. */
export const OWNER_STATUS: Readonly<Record<string, number>> = {
  // Only what everyone may see is translated.
  'POST /api/v1/statuses/:id/translate': 404,
}

/**
 * Records that a parameter names, by its name or by endpoint and name. `wrap` puts an id into the parameter, `read` is where the owner
 * reads the record.
 */
type Referred = Named & { wrap: (id: string) => unknown; read?: string }
const one = (id: string) => id
const several = (id: string) => [id]
const OPEN_ACCOUNT = { build: account, isOpen: true }

const HELD_BACK = { build: notificationRequest, wrap: several, read: '/api/v1/notifications/requests' }

export const PARAMETERS: Readonly<Record<string, Referred>> = {
  account_id: { ...OPEN_ACCOUNT, wrap: one },
  account_ids: { ...OPEN_ACCOUNT, wrap: several },
  ids: { build: notification, wrap: several, read: '/api/v1/notifications' },
  in_reply_to_id: { build: status, wrap: one },
  quoted_status_id: { build: status, wrap: one },
  media_ids: { build: media, wrap: several, read: '/api/v1/media' },
  target_account_id: { ...OPEN_ACCOUNT, wrap: one },
  status_id: { build: status, wrap: one },
  status_ids: { build: status, wrap: several },
  'GET /api/v1/statuses id': { build: status, wrap: several },
  'GET /api/v1/accounts id': { ...OPEN_ACCOUNT, wrap: several },
  'GET /api/v1/accounts/relationships id': { ...OPEN_ACCOUNT, wrap: several },
  'GET /api/v1/accounts/familiar_followers id': { ...OPEN_ACCOUNT, wrap: several },
  'POST /api/v1/notifications/requests/accept id': HELD_BACK,
  'POST /api/v1/notifications/requests/dismiss id': HELD_BACK,
  keywords_attributes: { build: keyword, wrap: (id) => [{ id, keyword: 'taken' }], read: '/api/v2/filters/keywords' },
  media_attributes: { build: media, wrap: (id) => [{ id, description: 'taken' }], read: '/api/v1/media' },
}

/** Parameters with ids that name no one's record, or one of staff's. */
export const NO_REFERENCES = ['report_id', 'role_ids', 'max_id', 'min_id', 'since_id', 'rule_ids', 'fields_attributes']
