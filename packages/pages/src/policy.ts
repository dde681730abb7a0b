import { createHash } from 'node:crypto'
import { STYLE } from './style.ts'

/** What a page needs beside its own text. */
type PageNeeds = {
  /** Stylesheets beside the one of all pages. */
  styles?: readonly string[]
  /** Addresses of the pictures and recordings it shows: their origins are let in and no others. */
  files?: readonly string[]
  /** Addresses of its scripts; absent when it has none. */
  scripts?: readonly string[]
  /** Where its forms may lead, redirects included; absent when it has none. */
  formTargets?: readonly string[]
}

const hashOf = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`
const STYLE_HASH = hashOf(STYLE)

/** The content security policy of a page: no scripts but those it names, no frames, and nothing from elsewhere that it does not show. The icon is its own server's. */
export const pagePolicy = ({ styles = [], files = [], scripts = [], formTargets }: PageNeeds): string => {
  const origins = [...new Set(files.map((address) => new URL(address).origin))]
  return [
    "default-src 'none'",
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`] : []),
    `style-src ${[STYLE_HASH, ...styles.map(hashOf)].join(' ')}`,
    `img-src ${["'self'", ...origins].join(' ')}`,
    ...(origins.length > 0 ? [`media-src ${origins.join(' ')}`] : []),
    "manifest-src 'self'",
    `form-action ${formTargets ? formTargets.join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
