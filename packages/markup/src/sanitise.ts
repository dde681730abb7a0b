import sanitizeHtml from 'sanitize-html'

/** Classes that links and names in posts have. */
const CLASSES = ['h-card', 'u-url', 'mention', 'hashtag', 'invisible', 'ellipsis']

const isMention = (classes: string | undefined) => (classes ?? '').split(/\s+/).includes('mention')

/**
 * HTML that someone else wrote, as far as posts have such (beyond-the-spec 1.9): paragraphs, breaks, links and their spans; of everything
 * else the text stays. Links lead to the web and say of themselves what ours say.
 */
export const sanitiseStatus = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: ['p', 'br', 'a', 'span'],
    allowedAttributes: { a: ['href', 'class', 'target', 'rel', 'translate'], span: ['class', 'translate'] },
    allowedClasses: { a: CLASSES, span: CLASSES },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, ...(isMention(attribs['class']) ? {} : { target: '_blank', rel: 'nofollow noopener' }) },
      }),
    },
  })
