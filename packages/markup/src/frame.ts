import sanitizeHtml from 'sanitize-html'

/** Characters of HTML that are looked at; the frame of a player takes a tenth. */
const LONGEST = 16_384

/** What a framed player may do: play, and open its own site in a window of its own. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'

const isElsewhere = (src: string, ownHost: string): boolean => {
  const url = URL.parse(src)
  return url?.protocol === 'https:' && url.host !== ownHost && !url.username && !url.password
}

/**
 * The first frame of a piece of HTML, alone, sandboxed and without anything else of it; empty when it has none. Only https, and never a page
 * of this server: with `allow-same-origin` that could reach out of its sandbox.
 */
export const frameIn = (html: string, ownHost: string): string => {
  if (html.length > LONGEST) return ''
  let count = 0
  return sanitizeHtml(html, {
    allowedTags: ['iframe'],
    allowedAttributes: { iframe: ['src', 'width', 'height', 'allowfullscreen', 'frameborder', 'sandbox'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    textFilter: () => '',
    transformTags: {
      iframe: (tagName, { src = '', width = '', height = '' }) => ({
        tagName,
        attribs: {
          src: URL.parse(src)?.href ?? '',
          ...(/^\d{1,4}$/.test(width) ? { width } : {}),
          ...(/^\d{1,4}$/.test(height) ? { height } : {}),
          frameborder: '0',
          allowfullscreen: 'true',
          sandbox: SANDBOX,
        },
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag !== 'iframe' || !isElsewhere(attribs['src'] ?? '', ownHost) || ++count > 1,
  }).trim()
}

/** A frame around a page that says it is a player. */
export const playerFrame = ({ src, width, height }: { src: string; width: number; height: number }, ownHost: string): string =>
  frameIn(`<iframe src="${src.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="${width}" height="${height}"></iframe>`, ownHost)
