import sanitizeHtml from 'sanitize-html'

/** Characters of HTML that are read; what follows is left out. */
const LONGEST = 65_536
/** Characters of HTML that may come of it: links and headings become longer, and pages show many of them. */
const LONGEST_SHOWN = 2 * LONGEST
/** How deep elements may stand in each other. */
const DEEPEST = 16

/** What clients show posts with, and the microformats beside it. */
const CLASSES = [/^(?:mention|hashtag|ellipsis|invisible|quote-inline|[hpuedt]-[a-z0-9-]{1,32})$/]

const BLOCKS = ['p', 'br', 'blockquote', 'pre', 'ul', 'ol', 'li']
const INLINE = ['a', 'span', 'del', 's', 'code', 'b', 'strong', 'u', 'i', 'em', 'sub', 'sup', 'ruby', 'rt', 'rp']
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Blocks that posts do not have, each of which begins a line. */
const OTHER_BLOCKS = ['section', 'article', 'header', 'footer', 'figure', 'figcaption', 'dl', 'dt', 'dd', 'table', 'caption', 'tr', 'hr']

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

/** What stands for tags that posts do not have, once everything else is sanitised. */
const STAND_INS = { heading: 'h1', picture: 'h5', cell: 'h6', block: 'div' }
const REPLACED: Readonly<Record<string, string>> = { '<h1>': '<p><strong>', '</h1>': '</strong></p>', '<h6>': '', '</h6>': ' ' }

/** A picture within a text is what it shows. */
const pictureText = (_tagName: string, { alt = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag => ({
  tagName: STAND_INS.picture,
  attribs: {},
  text: alt,
})

const named = (tags: readonly string[], name: string) => Object.fromEntries(tags.map((tag) => [tag, name]))

const BEFORE_BREAK = /(?:^|<br \/>|<\/?(?:p|blockquote|pre|ul|ol|li)>)\s*$/
const AFTER_BREAK = /^\s*(?:$|<\/?(?:p|blockquote|pre|ul|ol|li)\b)/
/** Characters beside a block that are looked at for another one. */
const BESIDE = 32

/** Other blocks become breaks of lines, except beside what begins a line anyway. */
const withBreaks = (clean: string): string =>
  clean.replace(/(?:<\/?div>\s*)+/g, (edges: string, at: number) => {
    const end = at + edges.length
    const isBroken = BEFORE_BREAK.test(clean.slice(Math.max(0, at - BESIDE), at)) || AFTER_BREAK.test(clean.slice(end, end + BESIDE))
    return at === 0 || end === clean.length || isBroken ? '' : '<br />'
  })

/** Headings are paragraphs that stand out, as on Mastodon; cells of tables stand apart. */
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
 * The HTML of a status or profile of another server as clients may show it: what posts consist of, with the classes that clients know for
 * mentions, hashtags and the hidden parts of links. Headings become paragraphs, pictures what they show, other blocks
 * lines; of everything else the text stays. Only links of the web
 * are links. What is longer than 65,536 characters is cut, and what would become longer than twice that is cut further.
 */
export const sanitiseRemote = (html: string): string => {
  for (let length = LONGEST; ; length /= 2) {
    const shown = sanitise(html.slice(0, length))
    if (shown.length <= LONGEST_SHOWN) return shown
  }
}

const LINK = /<a href="([^"]*)"([^>]*)>/g

/** The addresses that sanitised HTML of another server links to, without those of people and tags; in order. */
export const linksIn = (sanitised: string): string[] =>
  [...sanitised.matchAll(LINK)].flatMap(([, href = '', rest = '']) =>
    /class="[^"]*\b(?:mention|hashtag|u-url)\b/.test(rest) ? [] : [href.replaceAll('&amp;', '&')],
  )
