import { Parser } from 'htmlparser2'
import type { StoredField } from '../../database/tables/account.ts'

/** Maximum depth of nested elements: each level slows down the parser a little. */
const DEEPEST = 256

/** The page that a field links to, if it is only a link, and external; otherwise undefined. */
export const linkedPage = (value: string, baseUrl: string): string | undefined => {
  const text = value.trim()
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  return url && !url.username && !url.password && url.host !== new URL(baseUrl).host ? url.href : undefined
}

/** New fields, with the verification of unchanged ones. */
export const stillVerified = (fields: readonly StoredField[], before: readonly StoredField[]): StoredField[] => {
  const known = new Map(before.map(({ value, verified_at }) => [value, verified_at]))
  return fields.map((field) => {
    const verifiedAt = known.get(field.value)
    return verifiedAt === undefined ? field : { ...field, verified_at: verifiedAt }
  })
}

/**
 * The fields after a page was fetched: a field is verified when its page first links back, and no longer once it does not. Undefined if nothing
 * changes, as when the fields were replaced meanwhile.
 */
export const fieldsAfter = (
  fields: readonly StoredField[],
  asked: { url: string; linksBack: boolean; now: number; baseUrl: string },
): StoredField[] | undefined => {
  const isMeant = ({ value, verified_at }: StoredField) =>
    linkedPage(value, asked.baseUrl) === asked.url && (verified_at !== undefined) !== asked.linksBack
  if (!fields.some(isMeant)) return undefined
  return fields.map((field) => {
    if (!isMeant(field)) return field
    const { verified_at: _, ...unverified } = field
    return asked.linksBack ? { ...unverified, verified_at: asked.now } : unverified
  })
}

const withoutFragment = (url: URL) => url.href.slice(0, url.href.length - url.hash.length).toLowerCase()

/**
 * Whether a page links to one of these addresses by an `a` or `link` element with `rel=me` (microformats.org, rel-me). One pass over the source,
 * however malformed; elements deeper than in any real page are skipped.
 */
export const linksBack = (html: string, { pageUrl, addresses }: { pageUrl: string; addresses: readonly string[] }): boolean => {
  const wanted = new Set(addresses.map((address) => address.toLowerCase()))
  let depth = 0
  let isFound = false
  const parser = new Parser({
    onopentag(name, { rel = '', href = '' }) {
      if (isFound || ++depth > DEEPEST) return parser.pause()
      if (name !== 'a' && name !== 'link') return
      if (!rel.toLowerCase().split(/\s+/).includes('me')) return
      const url = URL.parse(href, pageUrl)
      isFound = url !== null && wanted.has(withoutFragment(url))
    },
    onclosetag() {
      depth--
    },
  })
  parser.end(html)
  return isFound
}
