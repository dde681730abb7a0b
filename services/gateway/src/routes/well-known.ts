import { AccountBody } from '@rookery/contracts/statuses'
import { asFailure, Failure, notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { VERSION } from '../version.ts'
import { activePeople } from './active-people.ts'

/** The supported versions of NodeInfo. */
const NODEINFO = ['2.0', '2.1'] as const

const OPEN = { 'Cache-Control': 'public, max-age=180' }

export const readNodeinfoLinks = endpoint({
  method: 'GET',
  path: '/.well-known/nodeinfo',
  access: Public(),
  summary: 'Links to NodeInfo.',
  handle: async (_context, { config }) =>
    new Reply(
      {
        links: NODEINFO.map((version) => ({
          rel: `http://nodeinfo.diaspora.software/ns/schema/${version}`,
          href: `${config.baseUrl}/nodeinfo/${version}`,
        })),
      },
      { headers: OPEN },
    ),
})

/** The NodeInfo document; version 2.1 also has the URLs of the software. */
const nodeinfo = async (version: (typeof NODEINFO)[number], call: Call, clients: Clients) => {
  const { instance, config } = clients
  const card = await instance.read(call, {})
  const active = await activePeople(call, card, clients)
  const document = {
    version,
    software: {
      name: config.softwareName,
      version: VERSION,
      ...(version === '2.1' && config.sourceUrl && { repository: config.sourceUrl }),
    },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    usage: {
      users: { total: card.people, activeMonth: active.month, activeHalfyear: active.halfYear },
      localPosts: card.statuses,
    },
    openRegistrations: config.registrations === 'open',
    metadata: { nodeName: card.title, nodeDescription: card.shortDescription, upstream: { name: 'mastodon' } },
  }
  return new Reply(document, { headers: OPEN })
}

export const readNodeinfo = endpoint({
  method: 'GET',
  path: '/nodeinfo/2.0',
  access: Public(),
  summary: 'NodeInfo: software and usage of this server.',
  handle: ({ call }, clients) => nodeinfo('2.0', call, clients),
})

export const readNewerNodeinfo = endpoint({
  method: 'GET',
  path: '/nodeinfo/2.1',
  access: Public(),
  summary: 'NodeInfo: software and usage of this server.',
  handle: ({ call }, clients) => nodeinfo('2.1', call, clients),
})

export const readHostMeta = endpoint({
  method: 'GET',
  path: '/.well-known/host-meta',
  access: Public(),
  summary: 'Link template of WebFinger.',
  handle: async (_context, { config }) => {
    const document = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${config.baseUrl}/.well-known/webfinger?resource={uri}"/>
</XRD>
`
    return new Reply(Buffer.from(document), { headers: { ...OPEN, 'Content-Type': 'application/xrd+xml; charset=utf-8' } })
  },
})

const ACTIVITY = 'application/activity+json'

/**
 * The acct of a webfinger resource: acct:name@domain, or the URL of a profile here; `@` if it is not of this server. @throws Failure
 * malformed
 */
const acctOf = (resource: string, baseUrl: string) => {
  const [, username, domain = ''] = /^(?:acct:)?@?([^@\s/:]+)@([^@\s/]+)$/.exec(resource) ?? []
  if (username) return domain.toLowerCase() === new URL(baseUrl).host ? username : '@'
  if (!URL.canParse(resource)) throw new Failure('malformed', 'resource is not a valid account or address')
  const url = new URL(resource)
  const path = /^\/(?:@|users\/)([^/]+)\/?$/.exec(url.pathname)
  return url.origin === baseUrl && path ? path[1]! : '@'
}

export const readPasswordPage = endpoint({
  method: 'GET',
  path: '/.well-known/change-password',
  access: Public(),
  summary: 'Leads password managers to the page where a password is changed.',
  handle: async (_context, { config }) =>
    new Reply(Buffer.alloc(0), { status: 302, headers: { Location: `${config.baseUrl}/auth/account/password`, ...OPEN } }),
})

export const readPasskeyPages = endpoint({
  method: 'GET',
  path: '/.well-known/passkey-endpoints',
  access: Public(),
  summary: 'Where passkeys are added and managed, for password managers.',
  handle: async (_context, { config }) => {
    const manage = `${config.baseUrl}/auth/account/passkeys`
    return new Reply({ enroll: `${manage}/new`, manage }, { headers: OPEN })
  },
})

/** The server's own handle, which other servers look up before they accept its signatures. A username has no port. */
const serverHandle = (baseUrl: string): string => {
  const { host, hostname } = new URL(baseUrl)
  return `acct:${hostname}@${host}`
}

const JRD = { ...OPEN, 'Content-Type': 'application/jrd+json; charset=utf-8' }
const GONE = new Reply({ error: 'Gone' }, { status: 410, headers: OPEN })

/** The account of an acct; undefined if it was deleted, since its name is never reused. @throws Failure not_found */
const accountOf = async (call: Call, acct: string, { accounts }: Clients) => {
  try {
    return await accounts.lookup(call, { acct })
  } catch (error) {
    if (asFailure(error).kind !== 'not_found') throw error
    const { reservedUsernames } = await accounts.readUsernames(call, { usernames: [acct] })
    if (reservedUsernames.length === 0) throw error
    return undefined
  }
}

export const webfinger = endpoint({
  method: 'GET',
  path: '/.well-known/webfinger',
  access: Public(),
  summary: 'WebFinger of a local account, or of the server.',
  input: form({ resource: text() }),
  handle: async ({ call, input }, clients) => {
    const { render, config } = clients
    if (!input.resource) throw new Failure('malformed', 'param is missing or the value is empty: resource')
    const { baseUrl } = config
    const { host } = new URL(baseUrl)
    const actor = `${baseUrl}/actor`
    if (input.resource === actor || input.resource === serverHandle(baseUrl)) {
      const links = [{ rel: 'self', type: ACTIVITY, href: actor }]
      return new Reply({ subject: serverHandle(baseUrl), aliases: [actor], links }, { headers: JRD })
    }
    const view = await accountOf(call, acctOf(input.resource, baseUrl), clients)
    if (!view) return GONE
    const { username, origin, avatarUrl, isSuspended } = AccountBody.decode(view.body)
    if (origin) throw notFound(`${username} is of another server`)
    const showsPicture = avatarUrl !== '' && !isSuspended && !config.restrictions.has('limited federation')
    const profile = render.urls.profile(username)
    const document = {
      subject: `acct:${username}@${host}`,
      aliases: [profile, render.urls.actor(username)],
      links: [
        { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
        { rel: 'self', type: ACTIVITY, href: render.urls.actor(username) },
        { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${baseUrl}/authorize_interaction?uri={uri}` },
        ...(showsPicture ? [{ rel: 'http://webfinger.net/rel/avatar', href: avatarUrl }] : []),
      ],
    }
    return new Reply(document, { headers: JRD })
  },
})

export const readHealth = endpoint({
  method: 'GET',
  path: '/health',
  access: Public(),
  summary: 'Health of the server.',
  // Client libraries look for this.
  handle: async () => new Reply(Buffer.from('OK'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
})
