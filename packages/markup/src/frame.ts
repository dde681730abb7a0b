import sanitizeHtml from 'sanitize-html'

/** Maximum characters of HTML that are parsed; a player's frame takes a tenth. */
const LONGEST = 16_384

/** Permissions of a framed player: to play, and to open its own site in a new window. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms'

const isElsewhere = (src: string, ownHost: string): boolean => {
  const url = URL.parse(src)
  return url?.protocol === 'https:' && url.host !== ownHost && !url.username && !url.password
}

/**
 * The first frame of a piece of HTML, sandboxed and without anything else; empty if there is none. Only https, and never a page of this
 * server, which with `allow-same-origin` could escape the sandbox.
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

/** A frame around a page that declares itself a player. */
export const playerFrame = ({ src, width, height }: { src: string; width: number; height: number }, ownHost: string): string =>
  frameIn(`<iframe src="${src.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="${width}" height="${height}"></iframe>`, ownHost)
