import { Parser } from 'htmlparser2'

/** The metadata of a page. */
export type Page = {
  title: string
  /** As on the root element. */
  language: string
  /** The content of meta elements by property or name in lower case; the first with content wins. */
  meta: ReadonlyMap<string, string>
  /** The URL of the page's oEmbed (oembed.com, 4), possibly relative. */
  oembed: string | undefined
}

/** Maximum depth of nested elements: each level slows down the parser a little. */
const DEEPEST = 256
/** Maximum characters of a title while it is read. */
const LONGEST_TITLE = 4096

const OEMBED_TYPES = new Set(['application/json+oembed', 'text/json+oembed'])

const isOembed = ({ rel = '', type = '' }: Record<string, string>) =>
  rel.toLowerCase().split(/\s+/).includes('alternate') && OEMBED_TYPES.has(type.toLowerCase())

/** The name and content of a meta element; undefined if it has none. */
const metaOf = (attributes: Record<string, string>): [key: string, content: string] | undefined => {
  const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase()
  const content = attributes['content']
  return key && content?.trim() ? [key, content] : undefined
}

/** Parses the source of a page, however malformed, in one pass; elements deeper than in any real page are skipped. */
export const readPage = (html: string): Page => {
  const meta = new Map<string, string>()
  const page = { title: '', language: '', oembed: undefined as string | undefined }
  let depth = 0
  let isInTitle = false
  let hasTitle = false
  const noteMeta = (attributes: Record<string, string>) => {
    const said = metaOf(attributes)
    if (said && !meta.has(said[0])) meta.set(...said)
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > DEEPEST) return parser.pause()
      if (name === 'html') page.language ||= attributes['lang'] ?? ''
      else if (name === 'link' && isOembed(attributes)) page.oembed ??= attributes['href']
      else if (name === 'title') isInTitle = !hasTitle
      else if (name === 'meta') noteMeta(attributes)
    },
    ontext(text) {
      if (isInTitle && page.title.length < LONGEST_TITLE) page.title += text
    },
    onclosetag(name) {
      depth--
      if (name !== 'title') return
      isInTitle = false
      hasTitle = true
    },
  })
  parser.end(html)
  return { ...page, meta }
}
