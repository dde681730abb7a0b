import { memoize } from '@rookery/cache'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { escapeHtml } from './render.ts'

/** A server has three such texts; without its own, one in each language; and earlier terms. A long one takes 50 ms. */
const MAX_RENDERED = 32

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 20 })
// Only what looks like a URL to everyone: names of domains and handles are text.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
markdown.renderer.rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '')

const BLOCKS = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
]
const INLINE = ['a', 'strong', 'em', 's', 'code']

const documentOf = (text: string): string =>
  sanitizeHtml(markdown.render(text), {
    allowedTags: [...BLOCKS, ...INLINE],
    allowedAttributes: { a: ['href'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    // The page that shows the text has its title as h1.
    transformTags: { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' },
  }).trim()

/**
 * A long text of the operator (policy, terms, description) as HTML: Markdown (CommonMark with tables) without HTML and pictures, of which HTML stays
 * as typed and a picture is its description. Headings begin at h2. Links are http(s), mailto or within this server. Empty for a text without any.
 */
export const renderDocument: (text: string) => string = memoize(documentOf, MAX_RENDERED)
