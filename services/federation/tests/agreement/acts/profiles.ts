import { multipart, send } from '@rookery/test-world/raw-request'
import { type Json, PIXEL, type Who } from '../cast.ts'
import { another, handleFor, took, type Walk, words, worldOf } from '../walk.ts'
import type { Act } from './posts.ts'

const PATH = '/api/v1/accounts/update_credentials'

const changesOf = (walk: Walk, me: Who): Json[] => [
  { display_name: `The ${words(walk)} <&> 'x'` },
  { display_name: `:wren: ${words(walk)}` },
  { note: `${words(walk)} #Birds https://x.example/ ${handleFor(walk, me, another(walk, me))}\n\nsecond` },
  {
    fields_attributes: [
      { name: 'site <b>', value: 'https://x.example/' },
      { name: ':wren:', value: 'a :owl_2:' },
      { name: 'pronouns', value: `they & ${words(walk)}` },
    ],
  },
  { fields_attributes: [] },
  { locked: walk.random.chance(0.5) },
  { discoverable: walk.random.chance(0.5) },
  { indexable: walk.random.chance(0.5) },
  { bot: walk.random.chance(0.5) },
]

export const changesProfile: Act = async (walk, me) => {
  const body = walk.random.of(changesOf(walk, me))
  took(walk, `${me.name} changes ${JSON.stringify(body)}`, await me.person.asks('PATCH', PATH, { body }))
}

/** Sets or removes a picture. */
export const changesPicture: Act = async (walk, me) => {
  const name = walk.random.of(['avatar', 'header'])
  if (walk.random.chance(0.3)) {
    took(walk, `${me.name} removes the ${name}`, await me.person.asks('DELETE', `/api/v1/profile/${name}`))
    return
  }
  const file = multipart([{ name, value: PIXEL, file: 'pixel.png', type: 'image/png' }])
  const { status, text } = await send(worldOf(walk, me).origin, { method: 'PATCH', path: PATH, token: me.person.token, ...file })
  took(walk, `${me.name} sets the ${name}`, { status, text })
}

/** Features a hashtag, or the first one no longer. */
export const featuresTag: Act = async (walk, me) => {
  const [first] = (await me.person.get('/api/v1/featured_tags')).body
  if (first && walk.random.chance(0.4)) {
    took(walk, `${me.name} unfeatures ${first.name}`, await me.person.asks('DELETE', `/api/v1/featured_tags/${first.id}`))
    return
  }
  const name = walk.random.of(['Birds', 'mösskultur', 'two_words'])
  took(walk, `${me.name} features ${name}`, await me.person.post('/api/v1/featured_tags', { name }))
}
