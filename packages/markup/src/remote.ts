import sanitizeHtml from 'sanitize-html'

/** Characters of HTML that are read; what follows is left out. */
const LONGEST = 65_536
/** How deep elements may stand in each other. */
const DEEPEST = 16

/** What clients show posts with, and the microformats beside it. */
const CLASSES = [/^(?:mention|hashtag|ellipsis|invisible|quote-inline|[hpuedt]-[a-z0-9-]{1,32})$/]

const BLOCKS = ['p', 'br', 'blockquote', 'pre', 'ul', 'ol', 'li']
const INLINE = ['a', 'span', 'del', 's', 'code', 'b', 'strong', 'u', 'i', 'em', 'sub', 'sup', 'ruby', 'rt', 'rp']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/** A link of the web as it is written back; undefined for everything else, as what leads to a place on this server. */
const addressOf = (href: string | undefined): string | undefined => {
  const url = URL.parse(href ?? '')
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}

const relOf = (rel: string | undefined): string =>
  (rel ?? '').split(/\s+/).includes('tag') ? 'tag nofollow noopener' : 'nofollow noopener'

const plainLink = (_tagName: string, { class: classes, href, rel }: sanitizeHtml.Attributes): sanitizeHtml.Tag => {
  const address = addressOf(href)
  if (address === undefined) return { tagName: 'span', attribs: {} }
  const shown = classes === undefined ? {} : { class: classes }
  return { tagName: 'a', attribs: { href: address, ...shown, rel: relOf(rel), target: '_blank', translate: 'no' } }
}

/**
 * The HTML of a status or profile of another server as clients may show it: what posts consist of, with the classes that clients know for
 * mentions, hashtags and the hidden parts of links. Headings become paragraphs; of everything else the text stays. Only links of the web
 * are links. What is longer than 65,536 characters is cut.
 */
export const sanitiseRemote = (html: string): string =>
  sanitizeHtml(html.slice(0, LONGEST), {
    allowedTags: [...BLOCKS, ...INLINE],
    allowedAttributes: {
      a: ['href', 'class', 'rel', 'target', 'translate'],
      span: ['class', 'translate'],
      ol: ['start', 'reversed'],
      li: ['value'],
    },
    allowedClasses: { a: CLASSES, span: CLASSES },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    nestingLimit: DEEPEST,
    transformTags: { a: plainLink, ...Object.fromEntries(HEADINGS.map((heading) => [heading, 'p'])) },
  })

const LINK = /<a href="([^"]*)"([^>]*)>/g

/** The addresses that sanitised HTML of another server links to, without those of people and tags; in order. */
export const linksIn = (sanitised: string): string[] =>
  [...sanitised.matchAll(LINK)].flatMap(([, href = '', rest = '']) =>
    /class="[^"]*\b(?:mention|hashtag|u-url)\b/.test(rest) ? [] : [href.replaceAll('&amp;', '&')],
  )
