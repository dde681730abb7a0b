import type { Person, World } from '@rookery/test-world'
import { moves, names } from '@rookery/test-world/moving'
import { signIn } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { found, openServers, relationship } from './two-servers.ts'

// Imports of follows, blocks and mutes by a new account that moved from the other server; the imported accounts are unknown here.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World

beforeAll(async () => {
  servers = await openServers({ RATE_LIMITS: 'on' })
  here = servers.here
  there = servers.there
})

afterAll(() => servers?.close())

const PAGE = '/auth/account/data'

/** Uploads a file in the import form, and returns its progress after both servers are idle. */
const readIn = async (person: Person, kind: string, text: string) => {
  const visitor = await signIn(here, person)
  const page = await visitor.visit(PAGE)
  const form = new FormData()
  form.set('form_token', /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
  form.set('kind', kind)
  form.set('mode', 'merge')
  form.set('file', new Blob([text], { type: 'text/csv' }), 'file.csv')
  expect((await visitor.go(PAGE, { method: 'POST', body: form })).status).toBe(200)
  await servers.idle()
  const state = async () => {
    const { text: read } = await visitor.visit(PAGE)
    const failures = /href="([^"]+failures\.csv)"/.exec(read)?.[1]
    return { lines: /<span>(\d+ of \d+ lines)/.exec(read)?.[1], failures: failures ? (await visitor.go(failures)).text : '' }
  }
  return { ...(await state()), state }
}

describe('a file that someone brings along', () => {
  it('follows, blocks and mutes people of other servers, who are asked for there', async () => {
    const [fay, joel, nadia, pavel] = [
      await here.person('fay'),
      ...(await Promise.all(['joel', 'nadia', 'pavel'].map((name) => there.person(name)))),
    ]
    const handle = (person: Person) => servers.handle(there, person).slice(1)
    const text = `Account address,Show boosts\n${handle(joel!)},false\nnobody@${new URL(there.address).host},true\n`
    expect(await readIn(fay, 'following', text)).toMatchObject({
      lines: '1 of 2 lines',
      failures: `3,unknown,nobody@${new URL(there.address).host},true\n`,
    })
    expect(await relationship(fay, await found(fay, `@${handle(joel!)}`))).toMatchObject({ following: true, showing_reblogs: false })
    const [follower] = (await there.get(`/api/v1/accounts/${joel!.id}/followers`)).body
    expect(follower).toMatchObject({ username: 'fay' })

    await readIn(fay, 'blocks', `${handle(nadia!)}\n`)
    expect(await relationship(fay, await found(fay, `@${handle(nadia!)}`))).toMatchObject({ blocking: true })
    await readIn(fay, 'mutes', `${handle(pavel!)},true\n`)
    expect(await relationship(fay, await found(fay, `@${handle(pavel!)}`))).toMatchObject({ muting: true })
  })

  it('puts people of other servers on lists, and keeps what they posted', async () => {
    const [hal, ines] = [await here.person('hal'), await there.person('ines')]
    const said = await ines.says('to be kept')
    await readIn(hal, 'following', `${servers.handle(there, ines)}\n`)
    expect(await readIn(hal, 'lists', `Tea,${servers.handle(there, ines)}\n`)).toMatchObject({ lines: '1 of 1 lines' })
    const [list] = (await hal.get('/api/v1/lists')).body
    expect((await hal.get(`/api/v1/lists/${list.id}/accounts`)).body).toMatchObject([{ username: 'ines' }])
    expect(await readIn(hal, 'bookmarks', `${said.uri}\n`)).toMatchObject({ lines: '1 of 1 lines' })
    expect((await hal.get('/api/v1/bookmarks')).body).toMatchObject([{ uri: said.uri }])
  })
})

describe('who moves to another server', () => {
  it('names an account that is not known here, and is told what its server says now', async () => {
    const [old, next] = [await here.person('oldest'), await there.person('newest')]
    const [oldHandle, nextHandle] = [servers.handle(here, old), servers.handle(there, next)]
    expect((await moves(here, old, nextHandle)).text).not.toContain('You have moved.')
    // The account was fetched a moment ago, and is fetched again.
    expect((await names(there, next, oldHandle)).text).toContain('It can move here now.')
    expect((await moves(here, old, nextHandle)).text).toContain('You have moved.')
    expect((await here.get(`/api/v1/accounts/${old.id}`)).body.moved).toMatchObject({ acct: nextHandle.slice(1) })
  })
})

it('a file waits once three hundred were asked for, and is read to its end later', async () => {
  const uwe = await here.person('uwe')
  const host = new URL(there.address).host
  const text = Array.from({ length: 310 }, (_, index) => `nobody${index}@${host}\n`).join('')
  const { lines, state } = await readIn(uwe, 'mutes', text)
  expect(lines).toBe('300 of 310 lines')
  expect((await state()).failures.split('\n')).toHaveLength(301)
  await servers.advance(300_000)
  expect((await state()).failures.split('\n')).toHaveLength(311)
})
