import { readFileSync } from 'node:fs'
import { Failure } from '@rookery/failures'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { THUMBNAILS } from '../server-pictures.ts'

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
export const readThumbnail = picture(THUMBNAILS.small, 'thumbnail.png', 'The picture of the server, 600 by 315 pixels.')
export const readLargeThumbnail = picture(THUMBNAILS.large, 'thumbnail-2x.png', 'The picture of the server, 1200 by 630 pixels.')

const YEAR = 'public, max-age=31536000, immutable'
const HOUR = 'public, max-age=3600'
/** An uploaded picture may not be what its type claims. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
}

/** An endpoint that redirects to the picture that staff uploaded, else to the default one. */
const chosen = (kind: 'thumbnail' | 'icon', otherwise: string, summary: string) =>
  endpoint({
    method: 'GET',
    path: `/instance/${kind}`,
    access: Public(),
    summary,
    input: form({ v: text() }),
    handle: async ({ call, input }, { instance }) => {
      try {
        const { contentType, content } = await instance.readPicture(call, { kind })
        return new Reply(Buffer.from(content), {
          headers: { 'Content-Type': contentType, 'Cache-Control': input.v ? YEAR : HOUR, ...SAFE },
        })
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== 'not_found') throw error
        return new Reply(Buffer.alloc(0), { status: 302, headers: { Location: otherwise, 'Cache-Control': HOUR } })
      }
    },
  })

export const readChosenThumbnail = chosen('thumbnail', readThumbnail.path, 'The picture of the server.')
export const readChosenIcon = chosen('icon', '/instance/icon-512.png', 'The icon of the server.')
