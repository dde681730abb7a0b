import { domainName } from '@rookery/domain-names'
import { plainText } from '@rookery/markup'
import type { JsonObject } from '../contract.ts'
import { hostOf as hostOfAddress } from '../host.rules.ts'
import { attributesIn } from './attributes.rules.ts'

/** The parts of a handle; the domain in ASCII and lower case, with its port if it has one. */
export type Handle = { readonly username: string; readonly domain: string }

const HANDLE = /^(?:acct:)?@?([^\s@/?#]{1,200})@([^\s@/?#]{1,300})$/
const PORT = /:(\d{1,5})$/

/** The host of an entered domain. Names without a dot, and ports, are allowed in private networks only. */
const hostOf = (typed: string, allowsPrivate: boolean): string | undefined => {
  const port = PORT.exec(typed)?.[0] ?? ''
  const name = typed.slice(0, typed.length - port.length)
  const known = domainName(name)
  if (known) return port && !allowsPrivate ? undefined : known + port
  return allowsPrivate && /^[a-z0-9.-]+$/i.test(name) ? name.toLowerCase() + port : undefined
}

/** Parses a handle like ann@example.org or @ann@example.org; undefined if invalid. */
export const handleOf = (text: string, { allowsPrivate }: { allowsPrivate: boolean }): Handle | undefined => {
  const [, username, typed] = HANDLE.exec(text.trim()) ?? []
  const domain = typed && hostOf(typed, allowsPrivate)
  return username && domain ? { username, domain } : undefined
}

/** A WebFinger response: the handle, and the uri of the actor (RFC 7033). */
export type Finger = { readonly subject: string; readonly actorUri: string }

const ACTIVITY = new Set(['application/activity+json', 'application/ld+json'])

const isActorLink = (link: unknown): link is { href: string } => {
  if (typeof link !== 'object' || link === null) return false
  const { rel, type, href } = link as Record<string, unknown>
  const essence = typeof type === 'string' ? type.toLowerCase().split(';', 1)[0]!.trim() : ''
  return rel === 'self' && ACTIVITY.has(essence) && typeof href === 'string' && URL.canParse(href)
}

/** Parses a WebFinger response; undefined if it links no actor. */
export const fingerOf = ({ subject, links }: JsonObject): Finger | undefined => {
  const link = Array.isArray(links) ? links.slice(0, 100).find(isActorLink) : undefined
  return link && typeof subject === 'string' ? { subject, actorUri: link.href } : undefined
}

const XRD_LINK = /<(?:[a-z]{1,20}:)?link\s([^<>]{1,4000})>/gi

/** The WebFinger URL of a resource by the host-meta of its domain (RFC 6415, 3.1.1); undefined without a template. */
export const lrddOf = (xrd: string, resource: string): string | undefined => {
  for (const [, attributes = ''] of xrd.matchAll(XRD_LINK)) {
    const { rel, template = '' } = attributesIn(attributes)
    if (rel !== 'lrdd' || !template.includes('{uri}')) continue
    const address = plainText(template).replace('{uri}', encodeURIComponent(resource))
    if (hostOfAddress(address)) return address
  }
  return undefined
}
