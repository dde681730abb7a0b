import type { Scanned } from './token.ts'

/** Scheme, host and port, not preceded by what would make them part of a word, a mention or a tag. */
const ORIGIN = /(?<![a-z0-9@＠$#＃])https?:\/\/([\p{L}\p{M}\p{N}_.-]+)(:\d{1,5}(?!\d))?/iuy

/** The longest host (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253
/** A link counts 23 characters however long it is, so a longer one is text. */
const LONGEST_URL = 4096

const STOPS = /[\s\p{Cc}\p{Bidi_Control}<>"“”「」『』]/u
/** Punctuation that ends a sentence or a bracket rather than a URL. */
const TRAILING = new Set(".,;:!?'*([]，。、；：！？…")

/** The host that the run of host characters begins with; a Latin top-level domain ends where another script begins. */
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

/** Where path, query and fragment end: at a stop, or at a bracket closed without having been opened. */
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

/** The http(s) URL whose scheme stands at a place (beyond-the-spec 1.9). */
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

/** Characters of a URL that are shown; the scheme and what follows them are there but invisible. */
const SHOWN = 30

/** A URL in the three parts in which it is displayed; `isCut` when the last is not empty. A rest of one character is shown. */
export const displayParts = (url: string): { prefix: string; visible: string; rest: string; isCut: boolean } => {
  const prefix = /^https?:\/\/(?:www\.)?/i.exec(url)?.[0] ?? ''
  const characters = [...url.slice(prefix.length)]
  const shown = characters.length === SHOWN + 1 ? SHOWN + 1 : SHOWN
  const isCut = characters.length > shown
  return { prefix, visible: characters.slice(0, shown).join(''), rest: characters.slice(shown).join(''), isCut }
}
