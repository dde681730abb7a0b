import { cachePool } from '@rookery/cache'
import { AccountBody, type Flags, StatusBody, StatusPage } from '@rookery/contracts/statuses'
import { createRenderer } from '@rookery/entities'
import { expect, test } from 'vitest'
import { renderStatus } from './render.ts'

const renderer = createRenderer({ baseUrl: 'https://rookery.example', pool: cachePool({ maxBytes: 1_000_000 }), caches: 'streamed' })
const body = (id: string, reblogOfId = '') =>
  Buffer.from(StatusBody.encode(StatusBody.fromPartial({ id, accountId: '1', username: 'mara', reblogOfId })).finish())
const accounts = [
  { id: '1', version: 1, body: Buffer.from(AccountBody.encode(AccountBody.fromPartial({ id: '1', username: 'mara' })).finish()) },
]
const overlay = { repliesCount: 0, reblogsCount: 0, favouritesCount: 0 }
const flags = (given: Partial<Flags> = {}): Flags => ({ favourited: false, reblogged: false, bookmarked: false, muted: false, ...given })
const statusIn = (lines: Buffer) => JSON.parse(lines.toString().replace(/^id: 1\nevent: update\ndata: /, ''))

test('viewers with equal flags share one event and its frames', () => {
  const page = StatusPage.fromPartial({
    items: [{ id: '5', overlay }],
    statuses: [{ id: '5', version: 1, accountId: '1', body: body('5') }],
    accounts,
  })
  const status = renderStatus(
    renderer,
    {
      page,
      viewers: [
        { viewerId: '7', flags: flags() },
        { viewerId: '8', flags: flags() },
        { viewerId: '9', flags: flags({ pinned: false }) },
      ],
      listeners: [],
    },
    { id: '1', isEdit: false },
  )
  const event = status.forViewer('7')!
  expect(status.forViewer('8')).toBe(event)
  expect(status.forViewer('9')).not.toBe(event)
  expect(status.forViewer('10')).toBe(undefined)
  expect(event.frame('["user"]')).toBe(event.frame('["user"]'))
  expect(event.lines(true)).toBe(event.lines(true))
})

test('a boost has the flags of both, the wrapper and the original', () => {
  const page = StatusPage.fromPartial({
    items: [{ id: '6', overlay, reblogOfId: '5', reblogOverlay: overlay }],
    statuses: [
      { id: '6', version: 1, accountId: '1', body: body('6', '5') },
      { id: '5', version: 1, accountId: '1', body: body('5') },
    ],
    accounts,
  })
  const viewers = [
    { viewerId: '7', flags: flags(), reblogFlags: flags({ favourited: true }) },
    { viewerId: '8', flags: flags(), reblogFlags: flags() },
  ]
  const status = renderStatus(renderer, { page, viewers, listeners: [] }, { id: '1', isEdit: false })
  const [mara, joel] = ['7', '8'].map((id) => statusIn(status.forViewer(id)!.lines(true)))
  expect([mara.favourited, mara.reblog.favourited, joel.reblog.favourited]).toEqual([false, true, false])
  expect('favourited' in statusIn(status.forListener('9')!.lines(true)).reblog).toBe(false)
})

test('of a status that is gone there is nothing', () => {
  const status = renderStatus(renderer, { viewers: [{ viewerId: '7', flags: flags() }], listeners: [] }, { id: '1', isEdit: false })
  expect([status.forListener('7'), status.forViewer('7')]).toEqual([undefined, undefined])
})
