import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'
import { found, relationship } from './two-servers.ts'

// Whom staff suspend here may have written to people of servers where no one follows them: those show what they have until they learn of it.

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let owner: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  owner = await among.world.owner('owner')
})

afterAll(() => among?.close())

it('servers where no one follows them learn that someone is suspended, and no longer', async () => {
  const spammer = await among.world.person('spammer')
  const ann = among.stranger('ann')
  const { acct } = await found(spammer, ann.uri)
  await spammer.says(`@${acct} buy this`)
  await among.idle()
  expect(among.sent('Create')).toBeDefined()
  const updates = () =>
    among.servers
      .posted()
      .filter(({ host }) => host === ann.host)
      .map(({ body }) => JSON.parse(String(body)))
      .filter(({ type, actor }) => type === 'Update' && actor === among.actorOf('spammer'))
      .map(({ object }) => object.suspended ?? false)
  await owner.post(`/api/v1/admin/accounts/${spammer.id}/action`, { type: 'suspend' })
  await among.idle()
  expect(updates()).toEqual([true])
  await owner.post(`/api/v1/admin/accounts/${spammer.id}/unsuspend`)
  await among.idle()
  expect(updates()).toEqual([true, false])
  await spammer.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Better' } })
  await among.idle()
  expect(updates()).toEqual([true, false])
})

/** A stranger, and someone of this server with whom they have to do, and who is suspended while the stranger acts. */
const amongSuspended = async (name: string) => {
  const person = await among.world.person(name)
  const stranger = among.stranger(`of${name}`)
  const account = await found(person, stranger.uri)
  const actor = among.actorOf(name)
  const act = (type: string, object: unknown = actor) => ({ id: `${stranger.origin}/acts/${type}`, type, actor: stranger.uri, object })
  const whileSuspended = async (activity: Record<string, unknown>) => {
    const action = `/api/v1/admin/accounts/${person.id}`
    await owner.post(`${action}/action`, { type: 'suspend' })
    await among.idle()
    await among.sends(stranger, activity)
    await owner.post(`${action}/unsuspend`)
    await among.idle()
  }
  return { person, stranger, account, actor, act, whileSuspended }
}

it('a follow that ends elsewhere while the followed account is suspended here has ended', async () => {
  const { person, stranger, account, act, whileSuspended } = await amongSuspended('unfollowed')
  await among.sends(stranger, act('Follow'))
  expect(await relationship(person, account)).toMatchObject({ followed_by: true })
  await whileSuspended(act('Undo', act('Follow')))
  expect(await relationship(person, account)).toMatchObject({ followed_by: false })
})

it('an account that is blocked elsewhere while it is suspended here is blocked, and no longer when that ends meanwhile', async () => {
  const { person, account, act, whileSuspended } = await amongSuspended('blocked')
  await whileSuspended(act('Block'))
  expect(await relationship(person, account)).toMatchObject({ blocked_by: true })
  await whileSuspended(act('Undo', act('Block')))
  expect(await relationship(person, account)).toMatchObject({ blocked_by: false })
})

it('a follower who is removed elsewhere while suspended here no longer follows', async () => {
  const { person, stranger, account, actor, act, whileSuspended } = await amongSuspended('removed')
  await person.post(`/api/v1/accounts/${account.id}/follow`)
  await among.idle()
  const follow = { type: 'Follow', actor, object: stranger.uri }
  await among.sends(stranger, act('Accept', follow))
  expect(await relationship(person, account)).toMatchObject({ following: true })
  await whileSuspended(act('Reject', follow))
  expect(await relationship(person, account)).toMatchObject({ following: false, requested: false })
})

it('a follow of an account that is suspended here is rejected, and does not count once that is over', async () => {
  const { person, account, actor, act, whileSuspended } = await amongSuspended('sought')
  await whileSuspended(act('Follow'))
  expect(among.sent('Reject', (each) => each.actor === actor)).toMatchObject({ object: { id: act('Follow').id } })
  expect(await relationship(person, account)).toMatchObject({ followed_by: false, requested_by: false })
})

it('a follow that is repeated while the followed account is suspended here is accepted again, and a request still waits', async () => {
  const { person, stranger, account, actor, act, whileSuspended } = await amongSuspended('repeated')
  const answers = (type: string) =>
    among.servers
      .posted()
      .map(({ body }) => JSON.parse(String(body)))
      .filter((each) => each.actor === actor && each.type === type)
  await among.sends(stranger, act('Follow'))
  await whileSuspended({ ...act('Follow'), id: `${stranger.origin}/acts/again` })
  expect(answers('Accept').map(({ object }) => object.id)).toEqual([act('Follow').id, `${stranger.origin}/acts/again`])
  expect(await relationship(person, account)).toMatchObject({ followed_by: true })

  await person.post(`/api/v1/accounts/${account.id}/remove_from_followers`)
  await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  await among.sends(stranger, { ...act('Follow'), id: `${stranger.origin}/acts/asked` })
  const before = answers('Reject').length
  await whileSuspended({ ...act('Follow'), id: `${stranger.origin}/acts/asked again` })
  expect(answers('Reject')).toHaveLength(before)
  expect(await relationship(person, account)).toMatchObject({ requested_by: true })
})

it('a post that arrives while someone whom it mentions is suspended here mentions them once that is over, and notified no one', async () => {
  const { person, stranger, whileSuspended, act } = await amongSuspended('mentioned')
  const other = await among.world.person('alsomentioned')
  const note = among.note(stranger, { tag: [among.mention('mentioned'), among.mention('alsomentioned')] })
  await whileSuspended(act('Create', note))
  const { status } = (await other.notifications())[0]
  expect(status.mentions.map(({ id }: { id: string }) => id).sort()).toEqual([person.id, other.id].sort())
  expect(await person.notifications('?types[]=mention')).toEqual([])
})
