import sanitizeHtml from 'sanitize-html'

/** Maximum characters of HTML that are read; the rest is dropped. */
const LONGEST = 65_536
/** Maximum characters of the result: links and headings become longer, and pages show many of them. */
const LONGEST_SHOWN = 2 * LONGEST
/** Maximum nesting of elements. */
const DEEPEST = 16

/** Classes that clients render posts with, and microformats. */
const CLASSES = [/^(?:mention|hashtag|ellipsis|invisible|quote-inline|[hpuedt]-[a-z0-9-]{1,32})$/]

const BLOCKS = ['p', 'br', 'blockquote', 'pre', 'ul', 'ol', 'li']
const INLINE = ['a', 'span', 'del', 's', 'code', 'b', 'strong', 'u', 'i', 'em', 'sub', 'sup', 'ruby', 'rt', 'rp']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Block elements that posts do not have; each begins a line. */
const OTHER_BLOCKS = ['section', 'article', 'header', 'footer', 'figure', 'figcaption', 'dl', 'dt', 'dd', 'table', 'caption', 'tr', 'hr']

/** An http(s) URL, serialised; undefined for everything else, such as relative URLs. */
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

/** Placeholders for tags that posts do not have, replaced once everything else is sanitised. */
const STAND_INS = { heading: 'h1', picture: 'h5', cell: 'h6', block: 'div' }
const REPLACED: Readonly<Record<string, string>> = { '<h1>': '<p><strong>', '</h1>': '</strong></p>', '<h6>': '', '</h6>': ' ' }

/** An image within a text is replaced by its description. */
const pictureText = (_tagName: string, { alt = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag => ({
  tagName: STAND_INS.picture,
  attribs: {},
  text: alt,
})

const named = (tags: readonly string[], name: string) => Object.fromEntries(tags.map((tag) => [tag, name]))

const BEFORE_BREAK = /(?:^|<br \/>|<\/?(?:p|blockquote|pre|ul|ol|li)>)\s*$/
const AFTER_BREAK = /^\s*(?:$|<\/?(?:p|blockquote|pre|ul|ol|li)\b)/
/** How many characters beside a block are checked for another block. */
const BESIDE = 32

/** Other blocks become line breaks, unless another block begins or ends a line there anyway. */
const withBreaks = (clean: string): string =>
  clean.replace(/(?:<\/?div>\s*)+/g, (edges: string, at: number) => {
    const end = at + edges.length
    const isBroken = BEFORE_BREAK.test(clean.slice(Math.max(0, at - BESIDE), at)) || AFTER_BREAK.test(clean.slice(end, end + BESIDE))
    return at === 0 || end === clean.length || isBroken ? '' : '<br />'
  })

/** Headings become bold paragraphs, as on Mastodon; table cells are separated by spaces. */
const withoutStandIns = (clean: string): string => withBreaks(clean.replace(/<\/?h[156]>/g, (tag) => REPLACED[tag] ?? ''))

const sanitise = (html: string): string =>
  withoutStandIns(
    sanitizeHtml(html, {
      allowedTags: [...BLOCKS, ...INLINE, ...Object.values(STAND_INS)],
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
      transformTags: {
        a: plainLink,
        img: pictureText,
        ...named(HEADINGS, STAND_INS.heading),
        ...named(['td', 'th'], STAND_INS.cell),
        ...named(OTHER_BLOCKS, STAND_INS.block),
      },
    }),
  )

/**
 * Sanitises the HTML of a status or profile of another server: keeps the elements of posts, and the classes that clients know for mentions,
 * hashtags and hidden parts of links. Headings become paragraphs, images their descriptions, other blocks lines; everything else keeps its
 * text. Only http(s) links stay. Input beyond 65,536 characters is cut, and cut further if the result would exceed twice that.
 */
export const sanitiseRemote = (html: string): string => {
  for (let length = LONGEST; ; length /= 2) {
    const shown = sanitise(html.slice(0, length))
    if (shown.length <= LONGEST_SHOWN) return shown
  }
}

const LINK = /<a href="([^"]*)"([^>]*)>/g

/** The URLs that sanitised HTML of another server links to, in order, without those of mentions and hashtags. */
export const linksIn = (sanitised: string): string[] =>
  [...sanitised.matchAll(LINK)].flatMap(([, href = '', rest = '']) =>
    /class="[^"]*\b(?:mention|hashtag|u-url)\b/.test(rest) ? [] : [href.replaceAll('&amp;', '&')],
  )
