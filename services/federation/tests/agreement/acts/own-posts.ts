import type { Json, Who } from '../cast.ts'
import { another, idAt, type Known, knownTo, post, took, type Walk, words } from '../walk.ts'
import { type Act, LONG, POLICIES, textOf, uploads } from './posts.ts'

type Edit = (walk: Walk, me: Who, body: Json) => void | Promise<void>

/** Changes of a status; each gets the current content and changes one thing. */
const EDITS: Record<string, Edit> = {
  text: (walk, _me, body) => {
    body.status = `${body.status.split('\n')[0]} ${words(walk)}`
  },
  mentions: (walk, me, body) => {
    body.status = textOf(walk, me, walk.random.chance(0.5) ? [] : [another(walk, me)])
  },
  warning: (_walk, _me, body) => {
    body.spoiler_text = body.spoiler_text ? '' : 'careful'
  },
  sensitivity: (_walk, _me, body) => {
    body.sensitive = !body.sensitive
  },
  language: (walk, _me, body) => {
    body.language = walk.random.of(['en', 'fr', 'zh-HK'])
  },
  media: async (walk, me, body) => {
    if (!body.poll) body.media_ids = body.media_ids.length > 0 ? body.media_ids.slice(1) : [await uploads(walk, me, 'added later')]
  },
  description: (walk, _me, body) => {
    const [id] = body.media_ids
    if (id) body.media_attributes = [{ id, description: words(walk), focus: '0.25,0.75' }]
  },
  poll: (walk, _me, body) => {
    if (body.media_ids.length === 0) body.poll = { options: [words(walk), 'two'], expires_in: LONG, multiple: walk.random.chance(0.5) }
  },
}

const pollOf = ({ options, multiple }: Json) => ({ options: options.map(({ title }: Json) => title), multiple, expires_in: LONG })

/** What an edit sends that changes nothing. */
const contentOf = async (me: Who, id: string): Promise<Json> => {
  const { body: status } = await me.person.get(`/api/v1/statuses/${id}`)
  const { body: source } = await me.person.get(`/api/v1/statuses/${id}/source`)
  const { sensitive, language, media_attachments: media, poll } = status
  const words = { status: source.text, spoiler_text: source.spoiler_text, sensitive, language }
  return { ...words, media_ids: media.map((file: Json) => file.id), ...(poll ? { poll: pollOf(poll) } : {}) }
}

/** Does something with one of the person's own statuses. */
const toOwn =
  (act: (walk: Walk, me: Who, own: { status: Known; id: string }) => Promise<void>): Act =>
  async (walk, me) => {
    const own = await knownTo(walk, me, ({ author }) => author === me)
    if (own.length > 0) await act(walk, me, walk.random.of(own))
  }

export const edits = toOwn(async (walk, me, { status, id }) => {
  const body = await contentOf(me, id)
  const what = walk.random.of(Object.keys(EDITS))
  await EDITS[what]?.(walk, me, body)
  const answer = await me.person.asks('PUT', `/api/v1/statuses/${id}`, { body })
  if (!took(walk, `${me.name} edits ${what} of ${status.label} ${JSON.stringify(body)}`, answer)) return
  for (const mention of answer.body.mentions) status.mentioned.add(mention.id)
})

export const changesPolicy = toOwn(async (walk, me, { status, id }) => {
  const body = { quote_approval_policy: walk.random.of(POLICIES) }
  const answer = await me.person.asks('PUT', `/api/v1/statuses/${id}/interaction_policy`, { body })
  took(walk, `${me.name} lets ${body.quote_approval_policy} quote ${status.label}`, answer)
})

export const pins = toOwn(async (walk, me, { status, id }) => {
  took(walk, `${me.name} pins ${status.label}`, await me.person.post(`/api/v1/statuses/${id}/pin`))
})

/** Deletes a status, and perhaps posts its draft. */
export const deletes = toOwn(async (walk, me, { status, id }) => {
  const answer = await me.person.asks('DELETE', `/api/v1/statuses/${id}`)
  if (!took(walk, `${me.name} deletes ${status.label}`, answer)) return
  status.isDeleted = true
  const { text, visibility, spoiler_text, media_attachments: media, poll } = answer.body
  const files = poll ? { poll: pollOf(poll) } : { media_ids: media.map((file: Json) => file.id) }
  if (walk.random.chance(0.4)) await post(walk, me, { status: text, visibility, spoiler_text, ...files }, { what: 'as a redraft' })
})

/** Takes one of the person's statuses out of a status that quotes it. */
export const revokes: Act = async (walk, me) => {
  const quoting = walk.statuses.filter((one) => !one.isDeleted && one.quoted?.author === me && !one.quoted.isDeleted)
  if (quoting.length === 0) return
  const one = walk.random.of(quoting)
  const id = await idAt(walk, me.side, one)
  if (id)
    took(walk, `${me.name} revokes the quote ${one.label}`, await me.person.post(`/api/v1/statuses/${one.quoted?.id}/quotes/${id}/revoke`))
}
