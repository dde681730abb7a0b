import { domainName } from '@rookery/domain-names'
import { plainText } from '@rookery/markup'
import type { JsonObject } from '../contract.ts'
import { hostOf as hostOfAddress } from '../host.rules.ts'
import { attributesIn } from './attributes.rules.ts'

/** A handle in parts; the domain in ASCII and lower case, with its port when it has one. */
export type Handle = { readonly username: string; readonly domain: string }

const HANDLE = /^(?:acct:)?@?([^\s@/?#]{1,200})@([^\s@/?#]{1,300})$/
const PORT = /:(\d{1,5})$/

/** The host of a typed domain. Names without a dot are those of private networks. */
const hostOf = (typed: string, allowsPrivate: boolean): string | undefined => {
  const port = PORT.exec(typed)?.[0] ?? ''
  const name = typed.slice(0, typed.length - port.length)
  const known = domainName(name)
  if (known) return port && !allowsPrivate ? undefined : known + port
  return allowsPrivate && /^[a-z0-9.-]+$/i.test(name) ? name.toLowerCase() + port : undefined
}

/** Reads a handle, as ann@example.org or @ann@example.org; undefined for what is none. */
export const handleOf = (text: string, { allowsPrivate }: { allowsPrivate: boolean }): Handle | undefined => {
  const [, username, typed] = HANDLE.exec(text.trim()) ?? []
  const domain = typed && hostOf(typed, allowsPrivate)
  return username && domain ? { username, domain } : undefined
}

/** What WebFinger says of someone: their handle, and where their actor is (RFC 7033). */
export type Finger = { readonly subject: string; readonly actorUri: string }

const ACTIVITY = new Set(['application/activity+json', 'application/ld+json'])

const isActorLink = (link: unknown): link is { href: string } => {
  if (typeof link !== 'object' || link === null) return false
  const { rel, type, href } = link as Record<string, unknown>
  const essence = typeof type === 'string' ? type.toLowerCase().split(';', 1)[0]!.trim() : ''
  return rel === 'self' && ACTIVITY.has(essence) && typeof href === 'string' && URL.canParse(href)
}

/** Reads an answer of WebFinger; undefined for one that names no actor. */
export const fingerOf = ({ subject, links }: JsonObject): Finger | undefined => {
  const link = Array.isArray(links) ? links.slice(0, 100).find(isActorLink) : undefined
  return link && typeof subject === 'string' ? { subject, actorUri: link.href } : undefined
}

const XRD_LINK = /<(?:[a-z]{1,20}:)?link\s([^<>]{1,4000})>/gi

/** Where a domain has a resource asked for, by its host-meta (RFC 6415, 3.1.1); undefined where that does not say. */
export const lrddOf = (xrd: string, resource: string): string | undefined => {
  for (const [, attributes = ''] of xrd.matchAll(XRD_LINK)) {
    const { rel, template = '' } = attributesIn(attributes)
    if (rel !== 'lrdd' || !template.includes('{uri}')) continue
    const address = plainText(template).replace('{uri}', encodeURIComponent(resource))
    if (hostOfAddress(address)) return address
  }
  return undefined
}
