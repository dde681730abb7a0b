import { readFileSync } from 'node:fs'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'

const DAY_SECONDS = 86_400

const picture = (path: string, file: string, summary: string) => {
  const bytes = readFileSync(new URL(`../assets/${file}`, import.meta.url))
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': `public, max-age=${DAY_SECONDS}` }
  return endpoint({ method: 'GET', path, access: Public(), summary, handle: async () => new Reply(bytes, { headers }) })
}

export const readMissingAvatar = picture(
  '/avatars/original/missing.png',
  'missing-avatar.png',
  'The avatar of an account that has set none.',
)
export const readMissingHeader = picture(
  '/headers/original/missing.png',
  'missing-header.png',
  'The header of an account that has set none.',
)
export const readThumbnail = picture('/instance/thumbnail.png', 'thumbnail.png', 'The picture of the server, 600 by 315 pixels.')
export const readLargeThumbnail = picture(
  '/instance/thumbnail-2x.png',
  'thumbnail-2x.png',
  'The picture of the server, 1200 by 630 pixels.',
)

/** What the instance documents say of that picture. The hash is of the file (4 by 3 components); a test computes it again. */
export const thumbnailOf = (baseUrl: string) => {
  const url = `${baseUrl}${readThumbnail.path}`
  return { url, blurhash: 'LP5O:~ojaej_o,j_ayfRW9axj]fQ', versions: { '@1x': url, '@2x': `${baseUrl}${readLargeThumbnail.path}` } }
}
