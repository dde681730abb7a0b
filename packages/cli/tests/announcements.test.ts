import { AnnouncementOperatorDefinition, AnnouncementRecord } from '@rookery/contracts/statuses'
import { notFound } from '@rookery/failures'
import { handler } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OperatorSocket, openOperatorSocket } from './operator-socket.ts'

const at = (text: string) => Date.parse(text)

describe('announcements', () => {
  let socket: OperatorSocket
  let asked: [string, object][]
  let record: AnnouncementRecord

  const answer = (act: string) => async (_call: unknown, request: object & { id?: string; text?: string | undefined }) => {
    asked.push([act, request])
    if (request.id === '9') throw notFound()
    return record
  }
  const operator = handler(AnnouncementOperatorDefinition, {
    list: async () => ({ announcements: record.text ? [record] : [] }),
    create: answer('create'),
    change: answer('change'),
    publish: answer('publish'),
    withdraw: answer('withdraw'),
    delete: answer('delete'),
  })

  beforeEach(async () => {
    socket = await openOperatorSocket(operator)
    asked = []
    record = AnnouncementRecord.fromPartial({ id: '7', text: 'tea\n\u001b[2Jat five', state: 'published' })
  })
  afterEach(() => socket.close())

  const run = (...words: string[]) => socket.run('announcements', ...words)

  test('are listed on a line each, regardless of what is in them', async () => {
    record.startsAtMilliseconds = at('2026-12-24T00:00:00Z')
    expect((await run('list')).printed).toEqual(['7\tpublished\t2026-12-24T00:00:00.000Z\t\ttea [2Jat five'])
    record.text = ''
    expect((await run('list')).printed).toEqual(['There are no announcements.'])
    expect(JSON.parse((await run('list', '--json')).printed[0]!)).toEqual([])
  })

  test.each([
    [['Tea'], { text: 'Tea', allDay: false, publication: 0 }],
    [['Tea', '--draft'], { publication: 2 }],
    [['Tea', '--now', '--starts-at', '2026-12-24T18:00Z'], { publication: 1, startsAtMilliseconds: at('2026-12-24T18:00Z') }],
    [['Tea', '--starts-at', '2026-12-24T18:00'], { startsAtMilliseconds: at('2026-12-24T18:00Z') }],
    [['Tea', '--starts-at', '2026-12-24T18:00+01:00'], { startsAtMilliseconds: at('2026-12-24T17:00Z') }],
    [
      ['Tea', '--starts-at', '2026-12-24', '--ends-at', '2026-12-24', '--all-day'],
      { allDay: true, startsAtMilliseconds: at('2026-12-24T00:00Z'), endsAtMilliseconds: at('2026-12-24T23:59:59.999Z') },
    ],
  ])('are created: %j', async (words, request) => {
    expect(await run('create', ...words)).toEqual({ code: 0, printed: ['Announcement 7 is published.'], complained: [] })
    expect(asked).toEqual([['create', expect.objectContaining(request)]])
  })

  test('say when they will be published', async () => {
    Object.assign(record, { state: 'scheduled', publishAtMilliseconds: at('2026-12-24T18:00Z') })
    expect((await run('create', 'Tea')).printed).toEqual(['Announcement 7 will be published at 2026-12-24T18:00:00.000Z.'])
  })

  test.each([
    [['--text', 'Coffee'], { id: '7', text: 'Coffee', startsAt: undefined, endsAt: undefined, allDay: undefined }],
    [['--text', ''], { text: '' }],
    [['--starts-at', 'none', '--ends-at', '2026-12-24'], { startsAt: {}, endsAt: { atMilliseconds: at('2026-12-24T23:59:59.999Z') } }],
    [['--all-day'], { allDay: true }],
    [['--times'], { allDay: false }],
  ])('are changed: %j', async (words, request) => {
    expect((await run('change', '7', ...words)).code).toBe(0)
    expect(asked).toEqual([['change', expect.objectContaining(request)]])
  })

  test('are published, withdrawn and deleted', async () => {
    expect((await run('publish', '7')).printed).toEqual(['Announcement 7 is published.'])
    record.state = 'unpublished'
    expect((await run('withdraw', '7')).printed).toEqual(['Announcement 7 is unpublished.'])
    expect((await run('delete', '7')).printed).toEqual(['Announcement 7 is deleted.'])
    expect(asked.map(([act]) => act)).toEqual(['publish', 'withdraw', 'delete'])
    expect(JSON.parse((await run('withdraw', '7', '--json')).printed[0]!)).toMatchObject({ id: '7', state: 'unpublished' })
    expect(await run('publish', '9')).toEqual({ code: 1, printed: [], complained: ['Record not found'] })
  })

  test.each([
    [['create', 'Tea', '--starts-at', 'tomorrow'], '--starts-at takes a day or a moment, as 2026-12-24 or 2026-12-24T18:00Z.'],
    [['create', 'Tea', '--starts-at', '2026-02-31'], '--starts-at takes a day or a moment, as 2026-12-24 or 2026-12-24T18:00Z.'],
    [['create', 'Tea', '--ends-at', '2026-04-31T18:00Z'], '--ends-at takes a day or a moment, as 2026-12-24 or 2026-12-24T18:00Z.'],
    [['create', 'Tea', '--ends-at', '2026-13-24'], '--ends-at takes a day or a moment, as 2026-12-24 or 2026-12-24T18:00Z.'],
    [['create', 'Tea', '--now', '--draft'], 'Take either --now or --draft.'],
    [['change', '7', '--all-day', '--times'], 'Take either --all-day or --times.'],
  ])('%j is refused', async (words, complaint) => {
    expect(await run(...words)).toEqual({ code: 1, printed: [], complained: [complaint] })
    expect(asked).toEqual([])
  })
})
