import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'

// What people find by the address of a page whose server shows no document there: the page says where that is (Ghost, WordPress behind a cache).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let mara: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  mara = await among.world.person('mara')
})

afterAll(() => among?.close())

const showPage = (url: string, html: string, headers: Record<string, string> = {}) => {
  const { host, pathname } = new URL(url)
  among.servers.on(`GET ${host}${pathname}`, (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(html),
  )
}
const search = async (url: string): Promise<Json> => (await mara.get(`/api/v2/search?q=${encodeURIComponent(url)}&resolve=true`)).body
const linkTo = (url: string) => `<!doctype html><head><link rel="alternate" type="application/activity+json" href="${url}"></head>`

it('a post is found by the element of its page', async () => {
  const ann = among.stranger('ann')
  const note = among.note(ann)
  showPage(`${ann.origin}/hello-world/`, linkTo(note.id))
  expect((await search(`${ann.origin}/hello-world/`)).statuses).toMatchObject([{ uri: note.id }])
})

it('a person is found by the header of their page', async () => {
  const ben = among.stranger('ben')
  showPage(`${ben.origin}/about`, '', { Link: `<${ben.uri}>; rel="alternate"; type="application/activity+json"` })
  expect((await search(`${ben.origin}/about`)).accounts).toMatchObject([{ uri: ben.uri }])
})

it('a page that leads to a page finds nothing, and asks no further', async () => {
  const cem = among.stranger('cem')
  showPage(`${cem.origin}/one`, linkTo(`${cem.origin}/two`))
  showPage(`${cem.origin}/two`, linkTo(`${cem.origin}/three`))
  expect(await search(`${cem.origin}/one`)).toMatchObject({ accounts: [], statuses: [] })
  expect(among.servers.arrived.filter(({ host, path }) => host === cem.host && path === '/three')).toEqual([])
})

it('a page that says that a document is of another server finds nothing that server does not show', async () => {
  const [dora, eva] = [among.stranger('dora'), among.stranger('eva')]
  const forged = { ...among.note(eva), id: `${eva.origin}/notes/forged` }
  among.servers.show(`${dora.origin}/forged`, forged)
  showPage(`${dora.origin}/post`, linkTo(`${dora.origin}/forged`))
  expect((await search(`${dora.origin}/post`)).statuses).toEqual([])
})
