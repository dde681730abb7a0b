import { Parser } from 'htmlparser2'

/** The description of a page in its source. */
export type Page = {
  title: string
  /** As the root element says it. */
  language: string
  /** The contents of meta elements by property or name in lower case; of several the first that says anything. */
  meta: ReadonlyMap<string, string>
  /** Where the page says its oEmbed is (oembed.com, 4), perhaps relative to it. */
  oembed: string | undefined
}

/** Elements within each other that are read: every one makes the reader's work on the next a little longer. */
const DEEPEST = 256
/** Characters of a title that are kept while it is read. */
const LONGEST_TITLE = 4096

const OEMBED_TYPES = new Set(['application/json+oembed', 'text/json+oembed'])

const isOembed = ({ rel = '', type = '' }: Record<string, string>) =>
  rel.toLowerCase().split(/\s+/).includes('alternate') && OEMBED_TYPES.has(type.toLowerCase())

/** What a meta element says, by its property or name; undefined for one that says nothing. */
const metaOf = (attributes: Record<string, string>): [key: string, content: string] | undefined => {
  const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase()
  const content = attributes['content']
  return key && content?.trim() ? [key, content] : undefined
}

/** Reads the source of a page, however malformed, in one pass; what lies deeper than any real page is not read. */
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
