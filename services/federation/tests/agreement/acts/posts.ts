import { multipart, send } from '@rookery/test-world/raw-request'
import { type Json, PIXEL, type Who } from '../cast.ts'
import { another, handleFor, knownTo, post, type Walk, words, worldOf } from '../walk.ts'

/** Longer than any walk, in seconds. */
export const LONG = 2_500_000

/** What someone does, at random; nothing if it is not possible now. */
export type Act = (walk: Walk, me: Who) => Promise<void>

const VISIBILITIES = ['public', 'public', 'public', 'unlisted', 'private', 'private'] as const
export const POLICIES = ['public', 'followers', 'nobody'] as const

/** A text that mentions these people, perhaps with a hashtag, a link and characters that HTML escapes. */
export const textOf = (walk: Walk, me: Who, mentions: readonly Who[]): string => {
  const { random } = walk
  const parts = [...mentions.map((one) => handleFor(walk, me, one)), words(walk)]
  if (random.chance(0.3)) parts.push(random.of(['#Birds', '#mösskultur', '#two_words']))
  if (random.chance(0.2)) parts.push(random.of([':wren:', ':owl_2: :wren:', ':unknown:']))
  if (random.chance(0.15)) parts.push('https://pages.example/a?b=1&c=%20')
  if (random.chance(0.15)) parts.push('<b>&amp; "x" \'y\'\n\nnew *paragraph*')
  return parts.join(' ')
}

/** Uploads a picture and returns its id. */
export const uploads = async (walk: Walk, me: Who, description: string): Promise<string> => {
  const parts = [
    { name: 'file', value: PIXEL, file: 'pixel.png', type: 'image/png' },
    { name: 'description', value: description },
    { name: 'focus', value: walk.random.of(['0.5,-0.25', '0,0', '-1,1']) },
  ]
  const request = { method: 'POST', path: '/api/v2/media', token: me.person.token, ...multipart(parts) }
  return (await send(worldOf(walk, me).origin, request)).body.id
}

/** Perhaps a content warning, a language, files or a poll. */
const extras = async (walk: Walk, me: Who): Promise<Json> => {
  const { random } = walk
  const kind = random.of(['none', 'none', 'media', 'poll'])
  const poll = {
    options: random.of([
      ['tea', 'coffee'],
      ['a', 'b', 'c & <d>'],
      [':wren:', 'none'],
    ]),
    expires_in: LONG,
    multiple: random.chance(0.5),
  }
  return {
    ...(random.chance(0.25) ? { spoiler_text: 'careful' } : {}),
    ...(random.chance(0.2) ? { sensitive: true } : {}),
    ...(random.chance(0.4) ? { language: random.of(['en', 'de', 'zh-TW']) } : {}),
    ...(random.chance(0.3) ? { quote_approval_policy: random.of(POLICIES) } : {}),
    ...(kind === 'media' ? { media_ids: [await uploads(walk, me, 'eine Möwe & ein <Ei>'), await uploads(walk, me, '')] } : {}),
    ...(kind === 'poll' ? { poll } : {}),
  }
}

export const says: Act = async (walk, me) => {
  const mentions = walk.random.chance(0.35) ? [another(walk, me)] : []
  await post(walk, me, { status: textOf(walk, me, mentions), visibility: walk.random.of(VISIBILITIES), ...(await extras(walk, me)) })
}

export const saysDirectly: Act = async (walk, me) => {
  await post(walk, me, { status: textOf(walk, me, [another(walk, me)]), visibility: 'direct', ...(await extras(walk, me)) })
}

export const replies: Act = async (walk, me) => {
  const known = await knownTo(walk, me)
  if (known.length === 0) return
  const { status, id } = walk.random.chance(0.6) ? known[0]! : walk.random.of(known)
  const mentions = walk.random.chance(0.7) && status.author !== me ? [status.author] : []
  const body = { status: textOf(walk, me, mentions), visibility: walk.random.of(VISIBILITIES), in_reply_to_id: id }
  await post(walk, me, body, { what: `in reply to ${status.label}` })
}

export const quotes: Act = async (walk, me) => {
  const known = await knownTo(walk, me)
  if (known.length === 0) return
  const { status, id } = walk.random.of(known)
  const body = { status: textOf(walk, me, []), visibility: walk.random.of(VISIBILITIES), quoted_status_id: id }
  await post(walk, me, body, { what: `quoting ${status.label}`, quoted: status })
}
