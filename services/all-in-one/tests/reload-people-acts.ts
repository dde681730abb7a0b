import type { Person } from '@rookery/test-world'
import { announcementOperator, announces, reacts, takesBack } from '@rookery/test-world/announcing'
import { innerCall } from '@rookery/test-world/calls'
import type { Json } from './reload-model.ts'
import { type Act, another, type Scene, someone, something } from './reload-scene.ts'
import { WORDS } from './reload-status-acts.ts'

/** Acts on people, lists, tags, filters and notifications; those of staff; and time that passes. */

const relate =
  (scene: Scene, act: string, options: () => Record<string, unknown> = () => ({})) =>
  async () => {
    const by = someone(scene)
    const to = another(scene, by)
    const more = options()
    const { status } = await by.post(`/api/v1/accounts/${to.id}/${act}`, more)
    if (status !== 200) return
    scene.done.push({ act, by: by.id, account: to.id, text: `${by.username} ${act} ${to.username} ${JSON.stringify(more)}` })
    if (act === 'block' || act === 'mute') {
      scene.clientOf(by)?.shutOut(to.id, { withNotifications: act === 'block' || more['notifications'] !== false })
    }
  }

/** A request of a viewer. */
const ask = async (scene: Scene, act: string, viewer: Person, [method, path, body]: [string, string, unknown?]) => {
  const { status } = await viewer.asks(method, path, { body: body ?? {} })
  if (status === 200)
    scene.done.push({ act, by: viewer.id, text: `${viewer.username} ${act}: ${method} ${path} ${JSON.stringify(body ?? '')}` })
}

const byViewer = (scene: Scene, act: string, asking: (viewer: Person) => [string, string, unknown?]) => () => {
  const viewer = scene.random.of(scene.viewers)
  return ask(scene, act, viewer, asking(viewer))
}

/** A request of a viewer about a record of theirs; nothing if they have none. */
const aboutOwn = (scene: Scene, act: string, list: string, asking: (record: Json) => [string, string, unknown?]) => async () => {
  const viewer = scene.random.of(scene.viewers)
  const { body } = await viewer.get(list)
  if (body.length > 0) await ask(scene, act, viewer, asking(scene.random.of(body as Json[])))
}

const listActs = (scene: Scene): Act[] => {
  const { random } = scene
  const one = (viewer: Person) => `/api/v1/lists/${random.of(scene.clientOf(viewer)!.lists)}`
  const members = (viewer: Person) => ({ account_ids: [another(scene, viewer).id] })
  const settings = () => ({ title: 'list', replies_policy: random.of(['followed', 'list', 'none']), exclusive: random.chance(0.3) })
  return [
    [2, byViewer(scene, 'list', (viewer) => ['POST', `${one(viewer)}/accounts`, members(viewer)])],
    [1, byViewer(scene, 'list', (viewer) => ['DELETE', `${one(viewer)}/accounts`, members(viewer)])],
    [1, byViewer(scene, 'list', (viewer) => ['PUT', one(viewer), settings()])],
    [1, byViewer(scene, 'tag', () => ['POST', `/api/v1/tags/${random.of(['tea', 'cake'])}/${random.of(['follow', 'unfollow'])}`])],
  ]
}

const filterActs = (scene: Scene): Act[] => {
  const { random } = scene
  const FILTERS = '/api/v2/filters'
  const made = () => ({
    title: `filter ${scene.next()}`,
    context: ['home', 'public'],
    filter_action: random.of(['warn', 'hide']),
    keywords_attributes: [{ keyword: random.of(WORDS) }],
    ...(random.chance(0.4) && { expires_in: 600 }),
  })
  const changed = () =>
    random.of<object>([{ filter_action: 'hide' }, { expires_in: 300 }, { keywords_attributes: [{ keyword: random.of(WORDS) }] }])
  return [
    [2, byViewer(scene, 'filter', () => ['POST', FILTERS, made()])],
    [1, aboutOwn(scene, 'filter', FILTERS, ({ id }) => ['PUT', `${FILTERS}/${id}`, changed()])],
    [1, aboutOwn(scene, 'filter', FILTERS, ({ id }) => ['DELETE', `${FILTERS}/${id}`])],
    [1, aboutOwn(scene, 'filter', FILTERS, ({ id }) => ['POST', `${FILTERS}/${id}/statuses`, { status_id: something(scene)?.id }])],
  ]
}

const inboxActs = (scene: Scene): Act[] => {
  const { random } = scene
  const [CONVERSATIONS, REQUESTS, NOTIFICATIONS] = ['/api/v1/conversations', '/api/v1/notifications/requests', '/api/v1/notifications']
  const rules = ['for_not_following', 'for_not_followers', 'for_private_mentions', 'for_limited_accounts']
  const policy = () => ({ [random.of(rules)]: random.of(['accept', 'filter', 'drop', 'accept']) })
  return [
    [1, aboutOwn(scene, 'mark', CONVERSATIONS, ({ id }) => ['POST', `${CONVERSATIONS}/${id}/${random.of(['read', 'unread'])}`])],
    [0.5, aboutOwn(scene, 'hide', CONVERSATIONS, ({ id }) => ['DELETE', `${CONVERSATIONS}/${id}`])],
    [1, byViewer(scene, 'policy', () => ['PUT', '/api/v2/notifications/policy', policy()])],
    [1, aboutOwn(scene, 'request', REQUESTS, ({ id }) => ['POST', `${REQUESTS}/${id}/${random.of(['accept', 'accept', 'dismiss'])}`])],
    [0.5, aboutOwn(scene, 'dismiss', NOTIFICATIONS, ({ id }) => ['POST', `${NOTIFICATIONS}/${id}/dismiss`])],
  ]
}

/** Limits or suspends someone without a client, or ends both. */
const restrict = async ({ random, people, viewers, staff, restricted, done }: Scene, isEnd: boolean) => {
  const [current] = restricted
  const person = isEnd ? people.find(({ id }) => id === current) : random.of(people.filter((each) => !viewers.includes(each)))
  if (!person || (!isEnd && restricted.size > 1)) return
  if (isEnd) restricted.delete(person.id)
  else restricted.add(person.id)
  const path = `/api/v1/admin/accounts/${person.id}`
  const [act, acts] = isEnd ? ['unrestrict', ['unsilence', 'unsuspend']] : ['restrict', ['action']]
  const type = random.of(['silence', 'suspend', 'sensitive'])
  for (const each of acts) await staff.post(`${path}/${each}`, isEnd ? {} : { type })
  done.push({ act, by: 'staff', account: person.id, text: `staff ${act} ${person.username} ${isEnd ? '' : type}` })
}

const staffActs = (scene: Scene): Act[] => {
  const { world, random, announcements, done } = scene
  const note = (text: string) => done.push({ act: 'announce', by: 'staff', text })
  return [
    [1, () => restrict(scene, false)],
    [1, () => restrict(scene, true)],
    [
      0.7,
      async () => {
        const { id } = await announces(world, `news ${scene.next()}`)
        announcements.push(id)
        note(`announces ${id}`)
      },
    ],
    [
      1.5,
      async () => {
        if (announcements.length === 0) return
        const [id, by] = [random.of(announcements), someone(scene)]
        await (random.chance(0.7) ? reacts : takesBack)(by, id, random.of(['🎉', '☕']))
        note(`${by.username} reacts to ${id}`)
      },
    ],
    [
      0.4,
      async () => {
        const id = announcements.shift()
        if (id) await announcementOperator(world).withdraw(innerCall(), { id })
        note(`withdraws ${id}`)
      },
    ],
    [
      0.8,
      async () => {
        world.clock.advance(400_000)
        done.push({ act: 'wait', by: 'staff', text: '400 seconds pass' })
      },
    ],
  ]
}

export const peopleActs = (scene: Scene): Act[] => {
  const { random } = scene
  const options = () => ({ reblogs: random.chance(0.5), notify: random.chance(0.5), ...(random.chance(0.4) && { languages: ['de'] }) })
  return [
    [8, relate(scene, 'follow')],
    [3, relate(scene, 'follow', options)],
    [2, relate(scene, 'unfollow')],
    [1.5, relate(scene, 'block')],
    [2, relate(scene, 'unblock')],
    [1.5, relate(scene, 'mute')],
    [1, relate(scene, 'mute', () => ({ notifications: false }))],
    [1, relate(scene, 'mute', () => ({ duration: 600 }))],
    [2, relate(scene, 'unmute')],
    ...listActs(scene),
    ...filterActs(scene),
    ...inboxActs(scene),
    ...staffActs(scene),
  ]
}
