import sanitizeHtml from 'sanitize-html'

/** The classes of links and names in posts. */
const CLASSES = ['h-card', 'u-url', 'mention', 'hashtag', 'invisible', 'ellipsis']

const isMention = (classes: string | undefined) => (classes ?? '').split(/\s+/).includes('mention')

/**
 * Sanitises HTML to what posts consist of (beyond-the-spec 1.9): paragraphs, breaks, links and their spans; everything else keeps its text.
 * Links are http(s) and get the attributes of ours.
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
