import { AccountBody } from '@rookery/contracts/statuses'
import { Failure, notFound, orNotFound } from '@rookery/failures'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { VERSION } from '../version.ts'
import { activePeople } from './active-people.ts'

const OPEN = { 'Cache-Control': 'public, max-age=180' }

export const readNodeinfoLinks = endpoint({
  method: 'GET',
  path: '/.well-known/nodeinfo',
  access: Public(),
  summary: 'Links to NodeInfo.',
  handle: async (_context, { config }) =>
    new Reply(
      { links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${config.baseUrl}/nodeinfo/2.0` }] },
      { headers: OPEN },
    ),
})

export const readNodeinfo = endpoint({
  method: 'GET',
  path: '/nodeinfo/2.0',
  access: Public(),
  summary: 'NodeInfo: software and usage of this server.',
  handle: async ({ call }, clients) => {
    const { instance, config } = clients
    const card = await instance.read(call, {})
    const active = await activePeople(call, card, clients)
    const document = {
      version: '2.0',
      software: { name: config.softwareName, version: VERSION },
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
  },
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

/** The handle a webfinger resource means: acct:name@domain, or the address of a profile here. @throws Failure malformed, not_found */
const acctOf = (resource: string, baseUrl: string) => {
  const handle = /^(?:acct:)?@?([^@\s/:]+@[^@\s/]+)$/.exec(resource)?.[1]
  if (handle) return handle
  if (!URL.canParse(resource)) throw new Failure('malformed', 'resource is not a valid account or address')
  const url = new URL(resource)
  const path = /^\/(?:@|users\/)([^/]+)\/?$/.exec(url.pathname)
  return url.origin === baseUrl && path ? path[1]! : '@'
}

export const webfinger = endpoint({
  method: 'GET',
  path: '/.well-known/webfinger',
  access: Public(),
  summary: 'WebFinger of a local account.',
  input: form({ resource: text() }),
  handle: async ({ call, input }, { accounts, render, config }) => {
    if (!input.resource) throw new Failure('malformed', 'param is missing or the value is empty: resource')
    const view = orNotFound(await accounts.lookup(call, { acct: acctOf(input.resource, config.baseUrl) }))
    const { username, origin } = AccountBody.decode(view.body)
    if (origin) throw notFound(`${username} is of another server`)
    const profile = render.urls.profile(username)
    const document = {
      subject: `acct:${username}@${new URL(config.baseUrl).host}`,
      aliases: [profile, render.urls.actor(username)],
      links: [{ rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile }],
    }
    return new Reply(document, { headers: { ...OPEN, 'Content-Type': 'application/jrd+json; charset=utf-8' } })
  },
})

export const readHealth = endpoint({
  method: 'GET',
  path: '/health',
  access: Public(),
  summary: 'Health of the server.',
  // What client libraries look for.
  handle: async () => new Reply(Buffer.from('OK'), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
})
