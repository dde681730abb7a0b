import { readFileSync } from 'node:fs'
import { Public } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'

const DAY_SECONDS = 86_400

const picture = (path: string, file: string, summary: string) => {
  const bytes = readFileSync(new URL(`../assets/${file}`, import.meta.url))
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': `public, max-age=${DAY_SECONDS}` }
  return endpoint({ method: 'GET', path, access: Public(), summary, handle: async () => new Reply(bytes, { headers }) })
}

export const readMissingAvatar = picture('/avatars/original/missing.png', 'missing-avatar.png', 'The avatar of whoever has set none.')
export const readMissingHeader = picture('/headers/original/missing.png', 'missing-header.png', 'The header of whoever has set none.')
