import { customEmojiEntity } from '@rookery/entities'
import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readCustomEmojis = endpoint({
  method: 'GET',
  path: '/api/v1/custom_emojis',
  access: Public(),
  summary: 'Custom emojis of the server.',
  handle: async ({ call }, { emojis }) => (await emojis.list(call, {})).emojis.map(customEmojiEntity),
})
