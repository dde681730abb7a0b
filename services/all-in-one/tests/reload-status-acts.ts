import type { Person } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { uploads } from '@rookery/test-world/scheduling'
import type { Json } from './reload-model.ts'
import { type Act, another, onStatus, type Said, type Scene, someone } from './reload-scene.ts'

/** Acts on statuses. */

const LANGUAGES = ['de', 'en', 'fr', undefined]
const TAGS = ['tea', 'tea', 'cake']
export const WORDS = ['milk', 'sugar', 'lemon']
const VISIBILITIES = ['public', 'public', 'public', 'unlisted', 'private', 'direct']

const textBy = (scene: Scene, by: Person, visibility: string): string => {
  const { random } = scene
  const mention = visibility === 'direct' || random.chance(0.25) ? ` @${another(scene, by).username}` : ''
  const tag = random.chance(0.35) ? ` #${random.of(TAGS)}` : ''
  return `hello ${scene.next()}${mention}${tag}${random.chance(0.3) ? ` ${random.of(WORDS)}` : ''}`
}

const publish = async (scene: Scene, by: Person, more: Record<string, unknown> = {}) => {
  const { random } = scene
  const visibility = String(more['visibility'] ?? random.of(VISIBILITIES))
  const warning = random.chance(0.15) ? { spoiler_text: `careful ${random.of(WORDS)}` } : {}
  const media = !more['poll'] && random.chance(0.2) ? { media_ids: [await uploads(by)] } : {}
  const draft = { status: textBy(scene, by, visibility), language: random.of(LANGUAGES), ...warning, ...media, ...more, visibility }
  const { status, body } = await by.post('/api/v1/statuses', draft)
  if (status !== 200) return
  scene.said.push({ id: body.id, by, visibility, ...(body.poll && { poll: body.poll.id }) })
  scene.done.push({ act: 'publish', by: by.id, status: body.id, text: `${by.username} says ${JSON.stringify(draft)}: ${body.id}` })
}

const react = (scene: Scene, act: string) =>
  onStatus(scene, async ({ id }, by) => {
    const { status, body } = await by.post(`/api/v1/statuses/${id}/${act}`)
    if (status !== 200) return
    scene.clientOf(by)?.acted(body)
    if (act === 'reblog') scene.said.push({ id: body.id, by, visibility: 'boost', boosted: body.reblog.id })
    scene.done.push({ act, by: by.id, status: id, text: `${by.username} ${act} ${id}: ${body.id}` })
  })

/** Media of an edit: the same, new ones or none; a poll may change. */
const withFiles = async (scene: Scene, { id, by, poll }: Said): Promise<object> => {
  const { random } = scene
  if (poll && random.chance(0.7)) {
    return { poll: { options: random.chance(0.5) ? ['green', 'black'] : ['red', `${random.of(WORDS)} ${scene.next()}`], expires_in: 3600 } }
  }
  if (random.chance(0.3)) return { media_ids: [await uploads(by)] }
  const { body } = await by.get(`/api/v1/statuses/${id}`)
  const kept: Json[] = random.chance(0.5) ? (body.media_attachments ?? []) : []
  return { media_ids: kept.map((file) => file.id) }
}

const edit = async (scene: Scene, said: Said) => {
  const { random } = scene
  const { id, by, visibility } = said
  const warning = random.chance(0.2) ? { spoiler_text: `now ${random.of(WORDS)}` } : {}
  const draft = { status: textBy(scene, by, visibility), language: random.of(LANGUAGES), ...warning, ...(await withFiles(scene, said)) }
  const { status, body } = await by.asks('PUT', `/api/v1/statuses/${id}`, { body: draft })
  if (status !== 200) return
  scene.clientOf(by)?.acted(body)
  scene.done.push({ act: 'edit', by: by.id, status: id, text: `${by.username} edits ${id} ${JSON.stringify(draft)}` })
}

const remove = async (scene: Scene, { id, by, boosted }: Said) => {
  const { status } = await by.asks('DELETE', `/api/v1/statuses/${id}`)
  if (status !== 200) return
  const original = boosted && (await by.get(`/api/v1/statuses/${boosted}`))
  if (original && original.status === 200) scene.clientOf(by)?.acted(original.body)
  scene.done.push({ act: 'delete', by: by.id, status: id, text: `${by.username} deletes ${id}` })
}

/** A change by the author, whose client applies the answer. */
const change = async (scene: Scene, { id, by }: Said, act: string, asking: { method: string; path: string; body?: unknown }) => {
  const { status, body } = await by.asks(asking.method, `/api/v1/statuses/${id}/${asking.path}`, { body: asking.body ?? {} })
  if (status !== 200) return
  scene.clientOf(by)?.acted(body)
  scene.done.push({ act, by: by.id, status: id, text: `${by.username} ${act} ${id} ${asking.path} ${JSON.stringify(asking.body ?? '')}` })
}

const revoke = async (scene: Scene, said: Said) => {
  const { status, body } = await said.by.get(`/api/v1/statuses/${said.id}/quotes`)
  if (status === 200 && body.length > 0) await change(scene, said, 'revoke', { method: 'POST', path: `quotes/${body[0].id}/revoke` })
}

const vote = async (scene: Scene, { poll, id }: Said, by: Person) => {
  const { status, body } = await by.post(`/api/v1/polls/${poll}/votes`, { choices: [0] })
  if (status !== 200) return
  scene.clientOf(by)?.voted(body)
  scene.done.push({ act: 'vote', by: by.id, status: id, text: `${by.username} votes in ${id}` })
}

const moderate = async (scene: Scene, { id, by }: Said) => {
  const action = scene.random.of(['delete_statuses', 'mark_statuses_as_sensitive'])
  if ((await by.get(`/api/v1/statuses/${id}`)).status !== 200) return
  await scene.world.operator().actOnStatuses(innerCall(), { action, statusIds: [id], text: '', sendsMail: false })
  const act = action === 'delete_statuses' ? 'delete' : 'edit'
  scene.done.push({ act, by: 'staff', status: id, text: `staff ${action} ${id}` })
}

export const statusActs = (scene: Scene): Act[] => {
  const { random } = scene
  const poll = () => ({ poll: { options: ['green', 'black', random.of(WORDS)], expires_in: random.of([300, 3600]) } })
  const own = (act: (said: Said) => Promise<unknown>) => onStatus(scene, (said) => act(said))
  const policy = () => ({ quote_approval_policy: random.of(['public', 'followers', 'nobody']) })
  return [
    [16, () => publish(scene, someone(scene))],
    [3, () => publish(scene, someone(scene), poll())],
    [10, onStatus(scene, ({ id }, by) => publish(scene, by, { in_reply_to_id: id }))],
    [6, onStatus(scene, ({ id }, by) => publish(scene, by, { quoted_status_id: id, visibility: 'public' }))],
    ...[['reblog', 8] as const, ['unreblog', 3] as const, ['favourite', 3] as const, ['unfavourite', 1] as const].map(
      ([act, weight]): Act => [weight, react(scene, act)],
    ),
    ...['bookmark', 'mute', 'unmute'].map((act): Act => [1, react(scene, act)]),
    [1, own((said) => change(scene, said, 'pin', { method: 'POST', path: random.of(['pin', 'unpin']) }))],
    [10, own((said) => edit(scene, said))],
    [5, own((said) => remove(scene, said))],
    [3, own((said) => change(scene, said, 'policy', { method: 'PUT', path: 'interaction_policy', body: policy() }))],
    [3, own((said) => revoke(scene, said))],
    [5, onStatus(scene, async (said, by) => (said.poll ? vote(scene, said, by) : undefined))],
    [1, own(async (said) => (said.visibility === 'boost' ? undefined : moderate(scene, said)))],
  ]
}
