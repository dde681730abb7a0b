import { customEmojiEntity } from '@rookery/entities'
import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readCustomEmojis = endpoint({
  method: 'GET',
  path: '/api/v1/custom_emojis',
  access: Public(),
  summary: "The server's own emojis, as a picker shows them.",
  handle: async ({ call }, { emojis }) => (await emojis.list(call, {})).emojis.map(customEmojiEntity),
})
