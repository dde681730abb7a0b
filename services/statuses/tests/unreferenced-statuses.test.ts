import { QuotePolicy, type RemoteStatus, RemoteStatusesDefinition, Visibility } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { following, type Stranger, said, stranger } from '@rookery/test-world/elsewhere'
import { query, runJob } from '@rookery/test-world/queries'
import { ahead, schedules } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Old statuses of other servers are removed once nothing on this server refers to them (REMOTE_STATUS_DAYS).

const DAY = 86_400_000
const JOB = 'remove-unreferenced-statuses'

let world: World
let mara: Person
let ann: Stranger

beforeAll(async () => {
  world = await World.open({ settings: { REMOTE_STATUS_DAYS: '30' } })
  mara = await world.person('mara')
  ann = await stranger(world, 'ann')
})
afterAll(() => world.close())

/** A status of a stranger, from before the time that statuses are kept. */
const old = (author: Stranger, content: string, more: Partial<RemoteStatus> = {}) =>
  said(world, author, content, { isFetched: true, publishedAtMilliseconds: world.clock.now() - 40 * DAY, ...more })
const isThere = async ({ id }: { id: string }) =>
  (await query(world, 'select id from statuses.status_head where id = $1', [id])).length === 1
/** Lets the job find what is unreferenced, and remove it once the grace is over. */
const pass = async () => {
  await runJob(world, JOB)
  await world.advance(3 * DAY + 60_000)
  await runJob(world, JOB)
  await world.idle()
}

describe('an old status of another server', () => {
  test('is removed if nothing refers to it, three days after that was found', async () => {
    const [status, other] = [await old(ann, 'forgotten'), await old(ann, 'forgotten too')]
    await runJob(world, JOB)
    await world.advance(2 * DAY)
    await runJob(world, JOB)
    expect(await isThere(status)).toBe(true)
    await world.advance(DAY + 60_000)
    await runJob(world, JOB)
    expect(await isThere(status)).toBe(false)
    expect(await isThere(other)).toBe(false)
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
  })

  test('stays if someone refers to it in those three days', async () => {
    const status = await old(ann, 'found in time')
    await runJob(world, JOB)
    await mara.reacts('favourite', status)
    await pass()
    expect(await isThere(status)).toBe(true)
    await mara.reacts('unfavourite', status)
    await world.advance(60_000)
    await runJob(world, JOB)
    expect(await isThere(status)).toBe(true)
    await pass()
    expect(await isThere(status)).toBe(false)
  })

  test('can be fetched again', async () => {
    const status = await old(ann, 'comes back')
    await pass()
    expect(await isThere(status)).toBe(false)
    const { id } = await innerClient(world, RemoteStatusesDefinition).store(innerCall(), status)
    expect((await mara.get(`/api/v1/statuses/${id}`)).body).toMatchObject({ content: '<p>comes back</p>' })
  })

  const REFERENCES: Record<string, () => Promise<{ id: string }>> = {
    'was favourited here': async () => {
      const status = await old(ann, 'favourited')
      await mara.reacts('favourite', status)
      return status
    },
    'was boosted here': async () => {
      const status = await old(ann, 'boosted')
      await mara.reacts('reblog', status)
      return status
    },
    'was bookmarked here': async () => {
      const status = await old(ann, 'bookmarked')
      await mara.reacts('bookmark', status)
      return status
    },
    'was answered here': async () => {
      const status = await old(ann, 'answered')
      await mara.says('an answer', { in_reply_to_id: status.id })
      return status
    },
    'was quoted here': async () => {
      const status = await old(ann, 'quoted', { quotePolicy: QuotePolicy.PUBLIC })
      await mara.says('a quote', { quoted_status_id: status.id })
      return status
    },
    'is answered by a scheduled status': async () => {
      const status = await old(ann, 'to be answered')
      await schedules(world, mara, 'an answer', { in_reply_to_id: status.id, scheduled_at: ahead(world, 400 * DAY) })
      return status
    },
    'is quoted by a draft': async () => {
      const status = await old(ann, 'to be quoted', { quotePolicy: QuotePolicy.PUBLIC })
      await mara.says('a quote', { quoted_status_id: status.id, draft: true })
      return status
    },
    'has a vote from here': async () => {
      const options = ['yes', 'no'].map((title) => ({ title, votesCount: 0 }))
      const poll = { options, isMultiple: false, votersCount: 0, expiresAtMilliseconds: world.clock.now() + 400 * DAY }
      const status = await old(ann, 'a poll', { poll })
      const { poll: shown } = (await mara.get(`/api/v1/statuses/${status.id}`)).body
      expect((await mara.post(`/api/v1/polls/${shown.id}/votes`, { choices: [0] })).status).toBe(200)
      return status
    },
    'is named by a filter': async () => {
      const status = await old(ann, 'filtered')
      const { id } = (await mara.post('/api/v2/filters', { title: 'one', context: ['home'] })).body
      expect((await mara.post(`/api/v2/filters/${id}/statuses`, { status_id: status.id })).status).toBe(200)
      return status
    },
    'is by someone who is followed here': async () => {
      const bea = await stranger(world, 'bea')
      await following(world, mara, bea)
      return old(bea, 'followed')
    },
    'is by someone whom an open report is about': async () => {
      const cyd = await stranger(world, 'cyd')
      const status = await old(cyd, 'reported')
      expect((await mara.post('/api/v1/reports', { account_id: cyd.id, status_ids: [status.id] })).status).toBe(200)
      return status
    },
    'is pinned by its author': async () => {
      const dan = await stranger(world, 'dan')
      const status = await old(dan, 'pinned')
      await innerClient(world, RemoteStatusesDefinition).storePins(innerCall(), { accountId: dan.id, statusIds: [status.id] })
      return status
    },
    'mentions someone here': () => old(ann, 'mentions', { mentionedAccountIds: [mara.id] }),
    'answers a status of this server in a thread of another': async () => {
      const root = await old(ann, 'root')
      const answer = await mara.says('an answer', { in_reply_to_id: root.id })
      return old(ann, 'answers', { inReplyToId: answer.id })
    },
    'is in a thread of this server': async () => {
      const first = await old(ann, 'first', { inReplyToId: (await mara.says('root')).id })
      return old(ann, 'second', { inReplyToId: first.id })
    },
    'has an answer that stays': async () => {
      const status = await old(ann, 'above')
      const answer = await old(ann, 'below', { inReplyToId: status.id })
      await mara.reacts('favourite', answer)
      return status
    },
    'quotes a status of this server': async () => {
      const quoted = await mara.says('to be quoted', { quote_approval_policy: 'public' })
      return old(ann, 'quotes', { quotedStatusId: quoted.id })
    },
    'boosts a status of this server in a thread of another': async () => {
      const { id } = await mara.says('boosted elsewhere', { in_reply_to_id: (await old(ann, 'root')).id })
      const boost = {
        uri: `${ann.uri}/boosts/1`,
        authorId: ann.id,
        reblogOfId: id,
        visibility: Visibility.PUBLIC,
        publishedAtMilliseconds: 0,
      }
      await innerClient(world, RemoteStatusesDefinition).storeBoost(innerCall(), boost)
      await world.advance(40 * DAY)
      const [stored] = await query(world, 'select id from statuses.status_head where reblog_of_id = $1', [id])
      return stored
    },
    'is of this server, in a thread of another': async () => {
      const root = await old(ann, 'root')
      const answer = await mara.says('an answer', { in_reply_to_id: root.id })
      await world.advance(40 * DAY)
      return answer
    },
    'is not old any more, because REMOTE_STATUS_DAYS was raised since it was found': async () => {
      const status = await said(world, ann, 'younger', { publishedAtMilliseconds: world.clock.now() - 10 * DAY })
      const foundAt = new Date(world.clock.now() - 4 * DAY)
      await query(world, 'insert into statuses.unreferenced_status values ($1, $2)', [status.id, foundAt])
      return status
    },
    'is not old yet': () => said(world, ann, 'young', { publishedAtMilliseconds: world.clock.now() - 10 * DAY }),
  }

  test.each(Object.entries(REFERENCES))('stays if it %s', async (_case, refer) => {
    const control = await old(ann, 'a control')
    const status = await refer()
    await pass()
    expect(await isThere(status)).toBe(true)
    expect(await isThere(control)).toBe(false)
  })

  test('is removed with its thread, from the last answer up', async () => {
    const above = await old(ann, 'above')
    const below = await old(ann, 'below', { inReplyToId: above.id })
    await pass()
    expect([await isThere(above), await isThere(below)]).toEqual([true, false])
    await pass()
    expect(await isThere(above)).toBe(false)
  })
})

test('without the setting everything stays', async () => {
  const other = await World.open()
  const eve = await stranger(other, 'eve')
  const status = await said(other, eve, 'kept', { isFetched: true, publishedAtMilliseconds: other.clock.now() - 4000 * DAY })
  for (let round = 0; round < 2; round++) {
    await runJob(other, JOB)
    await other.advance(4 * DAY)
  }
  expect(await query(other, 'select id from statuses.status_head where id = $1', [status.id])).toHaveLength(1)
  await other.close()
})

test('fewer than seven days are refused', async () => {
  await expect(World.open({ settings: { REMOTE_STATUS_DAYS: '6' } })).rejects.toThrow('REMOTE_STATUS_DAYS must be 0 or at least 7')
})
