import type { Browser, PageAnswer, Person } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'

// Staff pages about other servers.

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let mara: Person
let owner: Person
let inside: Browser
let ann: ReturnType<typeof among.stranger>

const SERVERS = '/admin/domains/servers'
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)">([^<]*)/.exec(text)?.[1]
const arrived = () => among.servers.posted().filter(({ host }) => host === ann.host).length
const posts = async (text: string) => {
  await mara.says(text)
  await among.idle()
}
const signIn = async (name: string): Promise<Browser> => {
  const opened = browser(among.world)
  await opened.submit(await opened.visit('/admin'), { email: `${name}@example.org`, password: `${name}-password` })
  return opened
}

beforeAll(async () => {
  among = await openAmongStrangers()
  mara = await among.world.person('mara')
  owner = await among.world.owner('owner')
  inside = await signIn('owner')
  ann = among.stranger('ann')
  await among.sends(ann, { type: 'Follow', object: among.actorOf('mara') })
  among.servers.on(`POST ${ann.host}`, (_request, response) => response.writeHead(503).end())
  await posts('the first that waits')
  await posts('the second that waits')
})

afterAll(() => among?.close())

describe('the pages about other servers', () => {
  it('show a server that fails, and what waits for it', async () => {
    const page = await inside.go(SERVERS)
    expect(page.text).toContain(ann.host)
    expect(page.text).toContain('<em class="mark">Fails</em>')
    expect(page.text).toContain('Deliveries that wait: 2')
    const waiting = await inside.go(`/admin/domains/servers/deliveries?domain=${encodeURIComponent(ann.host)}`)
    expect(waiting.text.match(new RegExp(`${among.world.address}/users/mara/statuses/\\d+/activity`, 'g'))).toHaveLength(2)
    expect(waiting.text).toContain('Attempts: 1')
  })

  it.each([
    ['?failing=true', true],
    ['?begins_with=ANN.', true],
    ['?begins_with=zzz', false],
  ])('with %s name the servers that fit: %s', async (query, isNamed) => {
    const { text } = await inside.go(`${SERVERS}${query}`)
    expect(text.includes(ann.host)).toBe(isNamed)
  })

  it.each([
    ['de', 'Antwortet nicht', 'Wartende Zustellungen: 2'],
    ['fr', 'Ne répond pas', 'Livraisons en attente : 2'],
  ])('speak %s', async (lang, fails, waiting) => {
    const { text } = await inside.go(`${SERVERS}?lang=${lang}`)
    expect(text).toContain(`<em class="mark">${fails}</em>`)
    expect(text).toContain(waiting)
  })

  it('are for those who manage federation', async () => {
    await among.world.person('moderator', { role: 'moderator' })
    const other = await signIn('moderator')
    for (const path of [SERVERS, '/admin/domains/servers/deliveries']) expect((await other.go(path)).status).toBe(403)
  })
})

describe('staff', () => {
  it('have a server asked again before its time', async () => {
    const before = arrived()
    const page = await inside.submit(await inside.go(SERVERS), {}, 'value="retry"')
    expect(notice(page)).toBe('It is asked again.')
    await among.idle()
    expect(arrived()).toBe(before + 1)
  })

  it('give up what waits, with their password', async () => {
    among.world.clock.advance(16 * 60_000)
    const asked = await inside.submit(await inside.go(SERVERS), {}, 'value="drop"')
    const page = await inside.submit(asked, { current_password: 'owner-password' })
    expect(notice(page)).toBe('What waited is given up.')
    expect(page.text).not.toContain('Deliveries that wait')
    expect((await inside.go('/admin/domains/servers/deliveries')).text).toContain('There is nothing here.')
  })

  it('have a person read again and are led to their account', async () => {
    among.servers.show(ann.uri, { ...ann.document, name: 'Ann with a new name' })
    const page = await inside.submit(await inside.go(SERVERS), { address: ann.uri }, 'value="refresh"')
    expect(notice(page)).toBe('The person was read again.')
    expect(page.text).toContain('Ann with a new name')
    const missing = await inside.submit(await inside.go(SERVERS), { address: '@no one' }, 'value="refresh"')
    expect(missing.status).toBe(404)
  })

  it('remove the people of a server, all of them, once', async () => {
    const followers = async () => (await mara.get(`/api/v1/accounts/${mara.id}/followers`)).body.length
    expect(await followers()).toBe(1)
    const page = await inside.submit(await inside.go(SERVERS), { form_confirmed: 'true' }, 'value="purge"')
    expect(notice(page)).toBe('The people of this server are being removed.')
    await among.idle()
    expect(await followers()).toBe(0)
    const remote = await owner.get('/api/v2/admin/accounts?origin=remote')
    expect(remote.body).toEqual([])
  })

  it('find what they did in the log', async () => {
    const { text } = await inside.go('/admin/audit')
    for (const words of [
      'Asked a server again',
      'Gave up the deliveries to a server',
      'Removed the people of a server',
      '@owner',
      ann.host,
    ]) {
      expect(text).toContain(words)
    }
  })
})
