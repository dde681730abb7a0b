import type { Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { type Dated, makeDue } from './make-due.ts'

const COUNT = 12
/** What a killed process had begun is looked for once a minute. */
const TIMEOUT = 120_000

/** A poll, and the job that closes it. */
const POLL: Dated = {
  keep: 'update statuses.poll set expires_at = $2 where status_id = $1',
  task: 'close-poll',
  payloadOf: (statusId) => ({ statusId }),
  keyOf: (statusId) => `poll:${statusId}`,
}

/** The notifications of some statuses, as type and status, page by page; nothing while the server is away. */
const notifiedOf = async (person: Person, type: string, ids: readonly string[]): Promise<string[]> => {
  const { body } = await person.get(`/api/v1/notifications?types[]=${type}&limit=30`).catch(() => ({ body: [] }))
  if (!Array.isArray(body)) return []
  return body.map(({ status }) => status?.id).filter((id) => ids.includes(id))
}

/** Statuses that end or change one after the other, with notifications. */
export type Endings = {
  /** Resolves when someone was notified of so many of them. */
  isNotified(count: number): Promise<void>
  /** Expects everyone to be notified of each once, and the effect once. */
  isNotifiedOnce(): Promise<void>
}

const endings = (people: readonly Person[], type: string, ids: readonly string[], expectEffect: () => Promise<void>): Endings => {
  const isNotified = async (count: number) => {
    const max = async () => Math.max(...(await Promise.all(people.map(async (person) => (await notifiedOf(person, type, ids)).length))))
    await expect.poll(max, { timeout: TIMEOUT, interval: 20 }).toBeGreaterThanOrEqual(count)
  }
  return {
    isNotified,
    async isNotifiedOnce() {
      for (const person of people) {
        await expect
          .poll(() => notifiedOf(person, type, ids).then((reported) => reported.toSorted()), { timeout: TIMEOUT, interval: 200 })
          .toEqual(ids.toSorted())
      }
      await expectEffect()
    },
  }
}

/** Has someone ask in polls, and others vote, that end within seconds, in the database behind a socket. */
export const endMany = async (author: Person, voters: readonly Person[], socket: string): Promise<Endings> => {
  const ids: string[] = []
  for (let index = 0; index < COUNT; index++) {
    const { id } = await author.says(`tea ${index}?`, { poll: { options: ['yes', 'no'], expires_in: 600 } })
    for (const voter of voters) expect((await voter.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).status).toBe(200)
    ids.push(id)
  }
  await makeDue(socket, ids, POLL)
  return endings([author, ...voters], 'poll', ids, async () => {
    for (const id of ids) {
      expect((await author.get(`/api/v1/polls/${id}`)).body).toMatchObject({ expired: true, votes_count: voters.length })
    }
  })
}

/** Has someone edit statuses that others boosted: each booster is notified, and homes follow. */
export const editMany = async (author: Person, boosters: readonly Person[]): Promise<Endings> => {
  const ids: string[] = []
  for (let index = 0; index < COUNT; index++) {
    const said = await author.says(`first ${index}`)
    for (const booster of boosters) await booster.reacts('reblog', said)
    ids.push(said.id)
  }
  for (const [index, id] of ids.entries()) {
    expect((await author.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: `then ${index} #edited` } })).status).toBe(200)
  }
  return endings(boosters, 'update', ids, async () => {
    for (const id of ids) expect((await author.get(`/api/v1/statuses/${id}/history`)).body).toHaveLength(2)
  })
}
