import { expect } from 'vitest'
import { type Audience, type Json, type Pushed, READERS, type Reader } from './live-audience.ts'
import { type Stream, TAG } from './live-ears.ts'

/** The page that corresponds to a stream. */
const PAGES: Record<Exclude<Stream, 'user:notification' | 'direct'>, (list: string) => string> = {
  user: () => '/api/v1/timelines/home?limit=10',
  list: (list) => `/api/v1/timelines/list/${list}?limit=10`,
  public: () => '/api/v1/timelines/public?limit=10',
  'public:local': () => '/api/v1/timelines/public?local=true&limit=10',
  'public:remote': () => '/api/v1/timelines/public?remote=true&limit=10',
  'public:media': () => '/api/v1/timelines/public?only_media=true&limit=10',
  'public:local:media': () => '/api/v1/timelines/public?local=true&only_media=true&limit=10',
  'public:remote:media': () => '/api/v1/timelines/public?remote=true&only_media=true&limit=10',
  hashtag: () => `/api/v1/timelines/tag/${TAG}?limit=10`,
  'hashtag:local': () => `/api/v1/timelines/tag/${TAG}?local=true&limit=10`,
}
const PAGED = Object.keys(PAGES) as (keyof typeof PAGES)[]
const isShared = (stream: Stream) => stream.startsWith('public') || stream.startsWith('hashtag')

/** A status as shared streams carry it: without the reader's own flags, except filters. */
const withoutFlags = (status: Json): Json => {
  const { favourited: _f, reblogged: _r, bookmarked: _b, muted: _m, pinned: _p, ...rest } = status
  if (rest.quote?.quoted_status) rest.quote = { ...rest.quote, quoted_status: withoutFlags(rest.quote.quoted_status) }
  if (!rest.poll) return rest
  const { voted: _v, own_votes: _o, ...poll } = rest.poll
  return { ...rest, poll }
}

/** A shared status as an anonymous reader sees it: without filters, and not quotable without signing in. */
const toAnonymous = ({ filtered: _filtered, ...heard }: Json): Json => ({
  ...heard,
  quote_approval: { ...heard.quote_approval, current_user: 'denied' },
})

const pageOf = async (audience: Audience, reader: Reader, stream: keyof typeof PAGES): Promise<Json[]> => {
  const { status, body } = await audience.reads(reader, PAGES[stream](audience.lists[reader]))
  expect([reader, stream, status]).toEqual([reader, stream, 200])
  return body
}

/** Checks all items concurrently. */
const each = async <Item>(items: readonly Item[], look: (item: Item) => Promise<void>): Promise<void> => {
  await Promise.all(items.map(look))
}

/** Expects each pushed status to equal that of its page, and the status itself, for its receivers. */
const expectStatuses = (audience: Audience, pushed: readonly Pushed[], isHome: (reader: Reader) => boolean) =>
  each(pushed, async ({ reader, stream, event, payload }) => {
    if (event !== 'update' && event !== 'status.update') return
    const status: Json = JSON.parse(payload ?? '')
    const own = (await audience.reads(reader, `/api/v1/statuses/${status.id}`)).body
    expect([reader, stream, status]).toEqual([reader, stream, isShared(stream) ? withoutFlags(own) : own])
    if (stream === 'user' && !isHome(reader)) return
    const shown = (await pageOf(audience, reader, stream as keyof typeof PAGES)).find(({ id }) => id === status.id)
    expect([reader, stream, shown]).toEqual([reader, stream, own])
  })

/** Expects each pushed object of a kind to be on the page of that kind. */
const expectListed = (audience: Audience, pushed: readonly Pushed[], { kind, path }: { kind: string; path: string }) =>
  each(
    pushed.filter(({ event }) => event === kind),
    async ({ reader, payload }) => {
      const told: Json = JSON.parse(payload ?? '')
      const page: Json[] = (await audience.reads(reader, path)).body
      expect([reader, page.find(({ id }) => id === told.id)]).toEqual([reader, told])
    },
  )

/**
 * Expects everything pushed to equal what pages show, `filtered` and flags included. `isHome` says whose homes have the statuses of `user`.
 */
export const expectPagesAlike = async (audience: Audience, pushed: readonly Pushed[], isHome: (reader: Reader) => boolean = () => true) => {
  await expectStatuses(audience, pushed, isHome)
  await expectListed(audience, pushed, { kind: 'notification', path: '/api/v1/notifications?limit=30' })
  await expectListed(audience, pushed, { kind: 'conversation', path: '/api/v1/conversations' })
}

/** Expects a status on exactly those readers' pages whose streams sent it; an anonymous reader sees it if listeners of `public` do. */
export const expectNowhereElse = async (audience: Audience, id: string, pushed: readonly Pushed[], isHome: (reader: Reader) => boolean) => {
  await each(READERS, (reader) =>
    each(PAGED, async (stream) => {
      const isNotified = pushed.some(
        (each) =>
          each.reader === reader && each.stream === stream && each.payload?.includes(`"id":"${id}"`) && each.event !== 'notification',
      )
      const wanted = isNotified && (stream !== 'user' || isHome(reader))
      const isShown = (await pageOf(audience, reader, stream)).some((status) => status.id === id)
      expect([reader, stream, isShown]).toEqual([reader, stream, wanted])
    }),
  )
  const listed = pushed.find(({ stream, reader }) => stream === 'public' && reader === 'stranger')
  const page: Json[] = (await audience.world.get(PAGES.public(''))).body
  expect(page.find((status) => status.id === id)).toEqual(listed && toAnonymous(JSON.parse(listed.payload ?? '')))
}

/** Expects a deleted status on no page, and not found by its id. */
export const expectGone = (audience: Audience, id: string) =>
  each(READERS, async (reader) => {
    expect([reader, (await audience.reads(reader, `/api/v1/statuses/${id}`)).status]).toEqual([reader, 404])
    await each(PAGED, async (stream) => {
      const ids = (await pageOf(audience, reader, stream)).map((status) => status.id)
      expect([reader, stream, ids.includes(id)]).toEqual([reader, stream, false])
    })
  })
