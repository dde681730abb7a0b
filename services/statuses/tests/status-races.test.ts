import { type Answer, type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// What happens to a status at the moment it is deleted either comes before that or finds nothing.

const PEOPLE = 20

let world: World
let mara: Person
let people: Person[]
beforeAll(async () => {
  world = await World.open()
  ;({ mara } = await world.cast('mara'))
  people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `racer${index}`)))
})
afterAll(() => world.close())

const deletes = ({ id }: { id: string }) => mara.asks('DELETE', `/api/v1/statuses/${id}`)

/** Expects acts to have worked or found nothing, and the counts of everyone to be what they have. */
const expectSound = async (answers: readonly Answer[], refused: number[] = [404]) => {
  const unexpected = answers.filter(({ status }) => status !== 200 && !refused.includes(status)).map(({ status, text }) => [status, text])
  expect(unexpected).toEqual([])
  await world.idle()
  const wrong = await query(
    world,
    `select username, statuses_count, counted from statuses.account a
     cross join lateral (select count(*)::int counted from statuses.status_head where author_id = a.id) c where statuses_count <> counted`,
  )
  expect(wrong).toEqual([])
}

const rowsOf = async (table: string, column: string, id: string): Promise<number> =>
  (await query(world, `select count(*)::int count from statuses.${table} where ${column} = $1`, [id]))[0].count

test('twenty replies to a status while it is deleted, and what it replied to counts exactly', async () => {
  for (let round = 0; round < 4; round++) {
    const root = await mara.says('root')
    const parent = await mara.says('parent', { in_reply_to_id: root.id })
    const answers = await Promise.all([
      ...people.flatMap((person) => [parent, root].map(({ id }) => person.post('/api/v1/statuses', { status: 're', in_reply_to_id: id }))),
      deletes(parent),
    ])
    expect(answers.at(-1)!.status).toBe(200)
    for (const { status, body } of answers) {
      if (status === 404) expect(body).toEqual({ error: 'The post you are trying to reply to does not appear to exist.' })
    }
    await expectSound(answers)
    const counted = (await world.get(`/api/v1/statuses/${root.id}`)).body.replies_count
    expect(counted).toBe(PEOPLE)
  }
})

test('boosts of a status while it is deleted leave none', async () => {
  for (let round = 0; round < 4; round++) {
    const said = await mara.says('going')
    const acts = people.flatMap((person) => [
      person.post(`/api/v1/statuses/${said.id}/reblog`),
      person.post(`/api/v1/statuses/${said.id}/unreblog`),
    ])
    const answers = await Promise.all([...acts.slice(0, PEOPLE), deletes(said), ...acts.slice(PEOPLE)])
    await expectSound(answers)
    expect(await rowsOf('status_head', 'reblog_of_id', said.id)).toBe(0)
    expect(await rowsOf('feed', 'reblog_of_id', said.id)).toBe(0)
    expect((await mara.notifications('?types[]=reblog')).filter(({ status }) => status?.id === said.id)).toEqual([])
  }
})

test('edits of a status while it is deleted leave nothing of it', async () => {
  for (let round = 0; round < 4; round++) {
    const poll = { options: ['green', 'black'], expires_in: 600 }
    const said = await mara.says(`#going${round} @racer0`, { poll })
    const edit = (index: number) => {
      const body = { status: `edit ${index} #going${round} @racer${index}`, ...(index % 2 ? { poll } : {}) }
      return mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body })
    }
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => (index === 5 ? deletes(said) : edit(index))))
    await expectSound(answers)
    for (const table of ['status_revision', 'poll', 'mention', 'status_tag'])
      expect([table, await rowsOf(table, 'status_id', said.id)]).toEqual([table, 0])
    for (const person of people.slice(0, 10))
      expect((await person.notifications()).filter(({ status }) => status?.id === said.id)).toEqual([])
    expect(await rowsOf('feed', 'status_id', said.id)).toBe(0)
  }
})

test('votes while the question changes, and while it is deleted, are counted exactly or not at all', async () => {
  const poll = { options: ['green', 'black'], expires_in: 600, multiple: true }
  const said = await mara.says('tea?', { poll })
  const vote = (person: Person, index: number) => person.post(`/api/v1/polls/${said.poll.id}/votes`, { choices: index % 3 ? [1] : [0, 1] })
  const ask = (options: string[]) =>
    mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'tea?', poll: { ...poll, options } } })
  const voting = people.map(vote)
  await expectSound(await Promise.all([...voting, ask(['mint', 'black'])]), [422])
  const again = (await world.get(`/api/v1/polls/${said.poll.id}`)).body
  const rows = await query(world, 'select choices from statuses.poll_vote where status_id = $1', [said.id])
  expect([again.voters_count, again.votes_count]).toEqual([rows.length, rows.flatMap(({ choices }) => choices).length])
  await expectSound(await Promise.all([...people.map(vote), deletes(said)]), [404, 422])
  for (const table of ['poll', 'poll_vote']) expect([table, await rowsOf(table, 'status_id', said.id)]).toEqual([table, 0])
})
