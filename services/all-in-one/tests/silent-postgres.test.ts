import { faultsOf } from '@rookery/runtime'
import { startPostgresProxy, type TestProxy } from '@rookery/test-stores'
import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Below the deadline of every request, in milliseconds. */
const SOON_MILLISECONDS = 10_000

/** With the embedded Postgres, which is on a unix socket, no connection dies silently. */
describe('the one process with a Postgres elsewhere', () => {
  let world: World
  let proxy: TestProxy
  let people: Record<'author' | 'follower', Person>
  beforeAll(async () => {
    world = await World.open({
      through: async (urlOf) => {
        const postgres = await startPostgresProxy(urlOf)
        proxy = postgres
        return postgres.url
      },
    })
    people = await world.cast('author', 'follower')
    await people.follower.follows(people.author)
    await world.idle()
  })
  afterAll(async () => {
    await world.close()
    await proxy.close()
  })

  const newest = async () => (await people.follower.home())[0]?.id
  const faults = () => faultsOf(world.rookery.checks)

  test('fails what was asked when its connections died, soon, and answers what is asked next', async () => {
    await Promise.all([people.author.says('one'), people.author.says('two'), newest(), newest()])
    proxy.dropOpenFlows()
    const begun = performance.now()
    const answers = await Promise.all([
      people.author.post('/api/v1/statuses', { status: 'lost' }),
      people.follower.get('/api/v1/timelines/home'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    const said = await people.author.says('three')
    await expect.poll(newest).toBe(said.id)
    expect(performance.now() - begun).toBeLessThan(SOON_MILLISECONDS)
    // Idle services find their dead connections now.
    await expect.poll(faults).toEqual({})
  })

  test('says within a second that it is not ready while Postgres is silent, and is ready when it answers', async () => {
    proxy.silence()
    let silent: Record<string, string> = {}
    const milliseconds = async () => {
      const begun = performance.now()
      silent = await faults()
      return performance.now() - begun
    }
    // A busy machine may take longer once, while Postgres stays silent.
    await expect.poll(milliseconds).toBeLessThan(1000)
    for (const name of ['auth', 'statuses', 'media', 'notifications', 'federation'])
      expect(silent[`database of ${name}`]).toMatch(/not answer|timeout/)
    proxy.heal()
    await expect.poll(faults).toEqual({})
    expect((await people.follower.get('/api/v1/timelines/home')).status).toBe(200)
  })
})
