import { type Person, World } from '@rookery/test-world'
import { idsOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
const people: Record<string, Person> = {}
const named = (name: string): Person => people[name]!
beforeAll(async () => {
  world = await World.open()
  Object.assign(people, await world.cast('shy', 'anna'))
  for (const name of ['bert', 'cora', 'dirk']) people[name] = await world.person(name)
  for (const name of ['anna', 'bert', 'cora', 'dirk']) await change(named(name), { discoverable: true })
})
afterAll(() => world.close())

const DAY = 86_400_000
const change = (person: Person, body: object) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
const directory = async (reader: Pick<Person | World, 'get'> = world, parameters = '') => {
  const answer = await reader.get(`/api/v1/directory${parameters}`)
  expect(answer.status).toBe(200)
  return answer.body.map(({ username }: { username: string }) => username)
}

describe('the directory', () => {
  test('shows those who want to be found, the latest to join first', async () => {
    expect(await directory(world, '?order=new')).toEqual(['dirk', 'cora', 'bert', 'anna'])
    expect(await directory(named('shy'), '?order=new&local=true')).toEqual(['dirk', 'cora', 'bert', 'anna'])
    expect((await world.get('/api/v1/directory?order=new')).body[0]).toEqual((await world.get(`/api/v1/accounts/${named('dirk').id}`)).body)
  })

  test('or the latest to post, within a day too; what is for someone alone does not count', async () => {
    await named('cora').says('first')
    await named('anna').says('second')
    await named('bert').says('third')
    expect(await directory()).toEqual(['bert', 'anna', 'cora', 'dirk'])
    await named('cora').says('fourth', { visibility: 'unlisted' })
    await named('dirk').says('@anna psst', { visibility: 'direct' })
    expect(await directory(world, '?order=active')).toEqual(['cora', 'bert', 'anna', 'dirk'])
    await world.advance(DAY)
    await named('anna').says('tomorrow')
    expect(await directory(world, '?order=anything')).toEqual(['anna', 'cora', 'bert', 'dirk'])
  })

  test('goes on by offset, and costs the same for 1 and for all', async () => {
    await directory(world, '?limit=1')
    const one = world.lastRequest
    expect(one).toEqual({ hops: 1, statements: 1 })
    expect(await directory(world, '?limit=2&offset=1')).toEqual(['cora', 'bert'])
    await directory(world)
    expect(world.lastRequest).toEqual(one)
    expect(await directory(world, '?offset=4')).toEqual([])
    expect(await directory(world, '?offset=99999999999999999999')).toEqual([])
    expect(await directory(world, '?offset=-3&limit=1')).toEqual(['anna'])
    expect(await directory(world, '?limit=0')).toEqual([])
  })

  test('leaves out whom a block or a mute parts from the reader, and shows them to others', async () => {
    await named('shy').does('block', named('anna'))
    await named('bert').does('block', named('shy'))
    await named('shy').does('mute', named('cora'), { duration: 60 })
    expect(await directory(named('shy'))).toEqual(['dirk'])
    await world.advance(61_000)
    expect(await directory(named('shy'))).toEqual(['cora', 'dirk'])
    expect(await directory()).toHaveLength(4)
  })

  test('leaves out who is silenced or suspended, and who no longer wants to be found', async () => {
    const set = (name: string, column: string) =>
      query(world, `update statuses.account set ${column} = true where id = $1`, [named(name).id])
    await set('anna', 'is_silenced')
    await set('bert', 'is_suspended')
    await change(named('cora'), { discoverable: false })
    for (const order of ['active', 'new']) expect(await directory(world, `?order=${order}`)).toEqual(['dirk'])
    expect(idsOf((await world.get('/api/v1/directory')).body)).toEqual([named('dirk').id])
  })

  test('stays the same where thousands of statuses are read for it, and hides whom the reader mutes', async () => {
    const { eric, finn, gina } = await world.cast('eric', 'finn', 'gina')
    for (const person of [eric, finn]) await change(person, { discoverable: true })
    const oldest = await finn.says('first')
    await eric.says('second')
    const written = 'insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)'
    await query(world, `${written} select $1::bigint - n, $2, 1, true, false, false, 1 from generate_series(1, 2100) n`, [
      oldest.id,
      gina.id,
    ])
    const shown = ['eric', 'finn', 'dirk']
    expect(await directory(gina)).toEqual(shown)
    expect(await directory(gina)).toEqual(shown)
    expect(await directory(gina, '?limit=1')).toEqual(['eric'])
    expect(await directory(gina, '?limit=1&offset=1')).toEqual(['finn'])
    await gina.does('mute', eric)
    expect(await directory(gina)).toEqual(['finn', 'dirk'])
    expect(await directory(gina, '?limit=1')).toEqual(['finn'])
    await finn.says('third')
    await world.advance(6000)
    await directory()
    await world.idle()
    expect(await directory()).toEqual(['finn', 'eric', 'dirk'])
  })

  test('keeps who posted before the latest thousands too, where none of those wants to be found', async () => {
    const hugo = await world.person('hugo')
    const { id } = await hugo.says('latest')
    const written = 'insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)'
    await query(world, `${written} select $1::bigint + n, $2, 1, true, false, false, 1 from generate_series(1, 2100) n`, [id, hugo.id])
    await world.advance(61_000)
    const shown = await directory(hugo, '?limit=2')
    expect(shown).toHaveLength(2)
    // The tables would now put the second of them first.
    await query(world, `update statuses.account set last_status_on = '2100-01-01' where username = $1`, [shown[1]])
    expect(await directory(hugo, '?limit=2')).toEqual(shown)
    await world.advance(6000)
    await directory()
    await world.idle()
    expect(await directory(hugo, '?limit=2')).toEqual([...shown].reverse())
  })
})
