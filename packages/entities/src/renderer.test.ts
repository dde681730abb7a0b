import { cachePool } from '@rookery/cache'
import { ROLES } from '@rookery/contracts/permissions'
import { AccountBody, type Credentials, Overlay, StatusBody, StatusItem, StatusPage, Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { createRenderer } from './renderer.ts'

const MOMENT = 1_700_000_000_000

const account = (id: string, username: string, version = 1) => ({
  id,
  version,
  body: Buffer.from(AccountBody.encode(AccountBody.fromPartial({ id, username, createdAtMilliseconds: MOMENT })).finish()),
})

const status = (id: string, content: string, version = 1) => {
  const body = StatusBody.fromPartial({ id, username: 'mara', content, visibility: Visibility.PUBLIC, createdAtMilliseconds: MOMENT })
  return { id, version, accountId: '1', body: Buffer.from(StatusBody.encode(body).finish()) }
}

const overlay = (favouritesCount = 0) =>
  Overlay.fromPartial({ favouritesCount, flags: { favourited: favouritesCount > 0, reblogged: false, bookmarked: false, muted: false } })
const item = (id: string, more: Partial<StatusItem> = {}) => StatusItem.fromPartial({ id, overlay: overlay(), ...more })
const page = (given: Partial<StatusPage>) => StatusPage.fromPartial({ accounts: [account('1', 'mara')], ...given })

const parsed = (json: Buffer | undefined) => JSON.parse(json?.toString() ?? 'null')
const open = () => createRenderer({ baseUrl: 'https://rookery.example', pool: cachePool({ maxBytes: 1_000_000 }), caches: 'rendered' })

describe('a page', () => {
  test('is joined from bodies, accounts and what is true for its viewer', () => {
    const json = open().statuses(
      page({ items: [item('10', { overlay: overlay(3) }), item('11')], statuses: [status('10', 'ten'), status('11', 'eleven')] }),
    )
    expect(parsed(json)).toMatchObject([
      { id: '10', content: 'ten', favourites_count: 3, favourited: true, reblog: null, account: { username: 'mara' } },
      { id: '11', content: 'eleven', favourites_count: 0, favourited: false },
    ])
  })

  test('leaves out what is not whole: a body, an author, what a boost boosts', () => {
    const statuses = [status('10', 'ten'), { ...status('11', 'eleven'), accountId: '2' }, status('13', '')]
    const items = [item('9'), item('10'), item('11'), item('13', { reblogOfId: '12', reblogOverlay: overlay() }), item('10')]
    expect(parsed(open().statuses(page({ items, statuses }))).map(({ id }: { id: string }) => id)).toEqual(['10', '10'])
    expect(parsed(open().statuses(page({ items: [item('9')] })))).toEqual([])
  })

  test('can be read by id, in another order or in part', () => {
    const given = page({ items: [item('10'), item('11'), item('9')], statuses: [status('10', 'ten'), status('11', 'eleven')] })
    expect(parsed(open().statusesOf(given, ['11', '9', '10'])).map(({ id }: { id: string }) => id)).toEqual(['11', '10'])
    expect([...open().statusesById(given).keys()]).toEqual(['10', '11'])
    expect(parsed(open().statusesById(given).get('11'))).toEqual(parsed(open().status(given, given.items[1]!)))
  })

  test('of a thread is what stands above and below, in the order given, without what is not whole', () => {
    const given = page({ items: [item('10'), item('11'), item('9')], statuses: [status('10', 'ten'), status('11', 'eleven')] })
    const idsOf = (statuses: { id: string }[]) => statuses.map(({ id }) => id)
    const context = parsed(open().context(given, { ancestorIds: ['9', '11'], descendantIds: ['10', '9'] }))
    expect(Object.keys(context)).toEqual(['ancestors', 'descendants'])
    expect([idsOf(context.ancestors), idsOf(context.descendants)]).toEqual([['11'], ['10']])
    expect(parsed(open().context(given, { ancestorIds: [], descendantIds: [] }))).toEqual({ ancestors: [], descendants: [] })
  })

  test('shows an author as of the version it comes with, and a status that was edited since as it is now', () => {
    const renderer = open()
    const of = (content: string, version: number, author: number) =>
      parsed(
        renderer.statuses(
          page({ items: [item('10')], statuses: [status('10', content, version)], accounts: [account('1', `mara${author}`, author)] }),
        ),
      )[0]
    expect(of('ten', 1, 1)).toMatchObject({ content: 'ten', account: { username: 'mara1' } })
    expect(of('ten', 1, 2)).toMatchObject({ content: 'ten', account: { username: 'mara2' } })
    expect(of('eleven', 2, 2)).toMatchObject({ content: 'eleven', account: { username: 'mara2' } })
    expect(of('ten', 1, 2)).toMatchObject({ content: 'ten', account: { username: 'mara2' } })
    expect(of('eleven', 2, 3)).toMatchObject({ content: 'eleven', account: { username: 'mara3' } })
  })

  test('that is rendered repeatedly is written twice, and again once a part of it is another one', () => {
    const renderer = open()
    const given = page({ items: [item('10')], statuses: [status('10', 'ten')] })
    // Concurrent readers share the last few pages: others in between let them be forgotten.
    const render = (rendered: StatusPage) => {
      for (let others = 0; others < 10; others++) renderer.statuses(page({ items: [] }))
      return renderer.statuses(rendered)
    }
    const [first, second, third] = [render(given), render(given), render(given)]
    expect([second.equals(first), second === first, third === second]).toEqual([true, false, true])
    const renamed = { ...given, accounts: [account('1', 'maria', 2)] }
    expect(parsed(render(renamed))).toMatchObject([{ account: { username: 'maria' } }])
    expect(parsed(render(given))).toMatchObject([{ account: { username: 'mara' } }])
  })

  test('of a boost holds the boosted status with its own counts', () => {
    const boost = item('13', { reblogOfId: '10', reblogOverlay: overlay(2) })
    const given = page({ items: [boost], statuses: [status('10', 'ten'), status('13', '')] })
    expect(parsed(open().statuses(given))).toMatchObject([
      { id: '13', favourites_count: 0, reblog: { id: '10', content: 'ten', favourites_count: 2 } },
    ])
  })
})

describe('what is kept', () => {
  const one = (version: number, content: string) => page({ items: [item('10')], statuses: [status('10', content, version)] })
  const contentOf = (json: Buffer) => parsed(json)[0].content

  test('is used while its version stands, and no longer', () => {
    const renderer = open()
    expect(contentOf(renderer.statuses(one(1, 'first')))).toBe('first')
    expect(contentOf(renderer.statuses(one(1, 'never looked at')))).toBe('first')
    expect(contentOf(renderer.statuses(one(2, 'second')))).toBe('second')
  })

  test('is not pushed out by an older page that comes later', () => {
    const renderer = open()
    renderer.statuses(one(2, 'second'))
    expect(contentOf(renderer.statuses(one(1, 'first')))).toBe('first')
    expect(contentOf(renderer.statuses(one(2, 'never looked at')))).toBe('second')
  })

  test('is an account’s too', () => {
    const renderer = open()
    expect(parsed(renderer.account(account('1', 'mara', 1))).username).toBe('mara')
    expect(parsed(renderer.account(account('1', 'never', 1))).username).toBe('mara')
    expect(parsed(renderer.accounts([account('1', 'maria', 2), account('2', 'joel')]))).toMatchObject([
      { username: 'maria' },
      { username: 'joel' },
    ])
  })

  test('is an owner’s by version and role', () => {
    const renderer = open()
    const credentials = (version: number, note: string): Credentials => ({
      account: account('1', 'mara', version),
      privacy: 'public',
      sensitive: false,
      language: undefined,
      note,
      fields: [],
      followRequestsCount: 0,
      hideCollections: undefined,
      discoverable: undefined,
      indexable: true,
      quotePolicy: 'nobody',
      expandMedia: 'default',
      expandSpoilers: false,
      autoplayGifs: false,
      attributionDomains: [],
      showMedia: true,
      showMediaReplies: true,
      showFeatured: true,
    })
    const seen = (version: number, note: string, role: 'user' | 'owner') =>
      parsed(renderer.credentials(credentials(version, note), { name: role, permissions: ROLES[role].permissions }))
    expect(seen(1, 'first', 'user')).toMatchObject({ source: { note: 'first' }, role: { name: '' } })
    expect(seen(1, 'never looked at', 'user').source.note).toBe('first')
    expect(seen(1, 'as owner', 'owner')).toMatchObject({ source: { note: 'as owner' }, role: { name: 'Owner' } })
    expect(seen(2, 'second', 'user').source.note).toBe('second')
  })
})
