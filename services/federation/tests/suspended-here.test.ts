import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'
import { found } from './two-servers.ts'

// Whom staff suspend here may have written to people of servers where no one follows them: those show what they have until they learn of it.

let among: Awaited<ReturnType<typeof openAmongStrangers>>

beforeAll(async () => {
  among = await openAmongStrangers()
})

afterAll(() => among?.close())

it('servers where no one follows them learn that someone is suspended, and no longer', async () => {
  const owner = await among.world.owner('owner')
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
