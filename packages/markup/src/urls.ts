import type { Scanned } from './token.ts'

/** Scheme, host and port, unless the characters before make them part of a word, a mention or a tag. */
const ORIGIN = /(?<![a-z0-9@＠$#＃])https?:\/\/([\p{L}\p{M}\p{N}_.-]+)(:\d{1,5}(?!\d))?/iuy

/** The longest host (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253
/** Every URL counts 23 characters however long it is, so a longer one is text. */
const LONGEST_URL = 4096

const STOPS = /[\s\p{Cc}\p{Bidi_Control}<>"“”「」『』]/u
/** Punctuation that ends a sentence or a bracket rather than a URL. */
const TRAILING = new Set(".,;:!?'*([]，。、；：！？…")

/** The host at the start of a run of host characters; a Latin top-level domain ends where another script begins. */
const hostOf = (run: string): string | undefined => {
  const lastDot = run.lastIndexOf('.', run.length - 2)
  const lastLabel = run.slice(lastDot + 1)
  const latin = /^[a-z][a-z0-9-]*/i.exec(lastLabel)?.[0]
  const host = run.slice(0, lastDot + 1) + (latin ?? lastLabel)
  const end = /[.-]$/.test(host) ? host.slice(0, -1) : host
  if (end.length > LONGEST_HOST || end.includes('..')) return undefined
  const isNamed = end.includes('.') || end.toLowerCase() === 'localhost'
  return isNamed && URL.canParse(`http://${end}`) ? end : undefined
}

/** The end of path, query and fragment: a stop character, or a closing bracket without an opening one. */
const endOfTail = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '(') depth++
    else if (character === ')' && --depth < 0) return at
    else if (STOPS.test(character)) return at
  }
  return text.length
}

const withoutTrailing = (text: string, from: number, end: number): number => {
  let last = end
  while (last > from && TRAILING.has(text[last - 1]!)) last--
  return last
}

/** Scans an http(s) URL whose scheme is at a position (beyond-the-spec 1.9). */
export const scanUrl = (text: string, at: number): Scanned => {
  ORIGIN.lastIndex = at
  const match = ORIGIN.exec(text)
  if (!match) return { end: at + 1 }
  const [origin, run = '', port = ''] = match
  const afterOrigin = at + origin.length
  const host = hostOf(run)
  // Credentials before a host would show a name that is not where the link goes.
  if (!host || text[afterOrigin] === '@') return { end: afterOrigin }
  const isWhole = host.length === run.length
  let end = isWhole ? afterOrigin : afterOrigin - port.length - (run.length - host.length)
  if (isWhole && /[/?#]/.test(text[afterOrigin] ?? '')) {
    const tail = endOfTail(text, afterOrigin)
    if (tail - at > LONGEST_URL) return { end: tail }
    end = withoutTrailing(text, afterOrigin, tail)
  }
  return { token: { kind: 'url', start: at, end, url: text.slice(at, end) } }
}

/** How many characters of a URL are visible; the scheme and the rest are in the HTML but hidden. */
const SHOWN = 30

/** The three parts in which a URL is displayed; `isCut` if the last is not empty. A rest of one character is shown. */
export const displayParts = (url: string): { prefix: string; visible: string; rest: string; isCut: boolean } => {
  const prefix = /^https?:\/\/(?:www\.)?/i.exec(url)?.[0] ?? ''
  const characters = [...url.slice(prefix.length)]
  const shown = characters.length === SHOWN + 1 ? SHOWN + 1 : SHOWN
  const isCut = characters.length > shown
  return { prefix, visible: characters.slice(0, shown).join(''), rest: characters.slice(shown).join(''), isCut }
}
