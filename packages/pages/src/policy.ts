import { createHash } from 'node:crypto'
import { STYLE } from './style.ts'

/** The resources that a page loads. */
type PageNeeds = {
  /** Stylesheets in addition to the common one. */
  styles?: readonly string[]
  /** URLs of its images and recordings: only their origins are allowed. */
  files?: readonly string[]
  /** URLs of its scripts; absent if there are none. */
  scripts?: readonly string[]
  /** Targets of its forms, redirects included; absent if there are none. */
  formTargets?: readonly string[]
}

const hashOf = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`
const STYLE_HASH = hashOf(STYLE)

/**
 * The Content-Security-Policy of a page: no scripts but its own, no frames, and from other origins only the media it shows. The icon is
 * from this server.
 */
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
