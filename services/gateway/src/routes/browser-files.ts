import { readFileSync } from 'node:fs'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { iconsOf } from '../server-pictures.ts'

const HOUR = { 'Cache-Control': 'public, max-age=3600' }
const DAY = { 'Cache-Control': 'public, max-age=86400' }

const file = (path: string, given: { asset: string; type: string; summary: string }) => {
  const bytes = readFileSync(new URL(`../assets/${given.asset}`, import.meta.url))
  const headers = { 'Content-Type': given.type, ...DAY }
  return endpoint({ method: 'GET', path, access: Public(), summary: given.summary, handle: async () => new Reply(bytes, { headers }) })
}

export const readFavicon = file('/favicon.ico', { asset: 'favicon.ico', type: 'image/x-icon', summary: 'The icon of the server.' })
export const readIcon = file('/instance/icon-192.png', {
  asset: 'icon-192.png',
  type: 'image/png',
  summary: 'The icon of the server, 192 pixels wide.',
})
export const readLargeIcon = file('/instance/icon-512.png', {
  asset: 'icon-512.png',
  type: 'image/png',
  summary: 'The icon of the server, 512 pixels wide.',
})

/** Crawlers may read pages. Pages that must not be indexed say so themselves. */
const ROBOTS = `User-agent: *
Disallow: /api/
Allow: /api/oembed
Disallow: /auth/
Disallow: /disputes/
Disallow: /invite/
Disallow: /oauth/
Disallow: /share
Disallow: /authorize_interaction
`

export const readRobots = endpoint({
  method: 'GET',
  path: '/robots.txt',
  access: Public(),
  summary: 'What crawlers leave alone (RFC 9309).',
  handle: async () => new Reply(Buffer.from(ROBOTS), { headers: { 'Content-Type': 'text/plain; charset=utf-8', ...DAY } }),
})

export const readManifest = endpoint({
  method: 'GET',
  path: '/manifest.json',
  access: Public(),
  summary: 'The web app manifest: name, icons, and where shared texts go.',
  handle: async ({ call }, { instance }) => {
    const card = await instance.read(call, {})
    const { title } = card
    const own = iconsOf('', card).map(({ src, size, type }) => ({ src, sizes: size, type }))
    const icon = (path: string, size: number) => ({ src: path, sizes: `${size}x${size}`, type: 'image/png' })
    const manifest = {
      name: title,
      short_name: title,
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      theme_color: card.color,
      background_color: '#eef1f6',
      icons: own.length > 0 ? own : [icon(readIcon.path, 192), icon(readLargeIcon.path, 512)],
      share_target: { action: '/share', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
    }
    return new Reply(manifest, { headers: { 'Content-Type': 'application/manifest+json', ...HOUR } })
  },
})
