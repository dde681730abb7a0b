import { plainText } from '@rookery/markup'
import { hostOf } from '../host.rules.ts'
import { attributesIn } from './attributes.rules.ts'

/** A page, and its `Link` headers joined into one. */
export type Page = { readonly url: string; readonly html: string; readonly link: string | undefined }

type Named = { readonly href: string; readonly rel: string; readonly type: string }

const ELEMENT = /<link\s([^<>]{1,4000})>/gi
const ENTRY = /<([^<>]{1,2048})>((?:\s*;[^;,"<>]*(?:"[^"]*")?)*)/g
const namedIn = (text: string): Named => {
  const { href = '', rel = '', type = '' } = attributesIn(text)
  return { href, rel, type }
}

/** The links of a page: those of its headers, then those of its HTML. */
function* linksOf({ link = '', html }: Page): Generator<Named> {
  for (const [, href = '', parameters = ''] of link.matchAll(ENTRY)) yield { ...namedIn(parameters), href }
  for (const [, attributes = ''] of html.matchAll(ELEMENT)) {
    const named = namedIn(attributes)
    yield { ...named, href: plainText(named.href) }
  }
}

const isActivityJson = (type: string): boolean => {
  const [essence = ''] = type.split(';', 1)
  if (essence.trim() === 'application/ld+json') return type.includes('https://www.w3.org/ns/activitystreams')
  return essence.trim() === 'application/activity+json'
}

/** The URL of the ActivityPub document that a page links as its alternate (SWICG, ActivityPub HTML discovery); undefined without such a link. */
export const alternateOf = (page: Page): string | undefined => {
  for (const { href, rel, type } of linksOf(page)) {
    if (!rel.toLowerCase().split(/\s+/).includes('alternate') || !isActivityJson(type.toLowerCase())) continue
    const address = URL.parse(href, page.url)?.href
    if (address && hostOf(address)) return address
  }
  return undefined
}
