import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

let elsewhere: Server
let host: string
/** What the other server was asked for. */
const asked: string[] = []
let world: World
let mara: Person

/** Knows ann, does not answer who asks for slow, and knows no one else. */
const answer = (path: string): object | 'nothing' | undefined => {
  const name = /resource=acct%3A(\w+)/i.exec(path)?.[1] ?? /^\/users\/(\w+)$/.exec(path)?.[1]
  if (name === 'slow') return 'nothing'
  if (name !== 'ann') return undefined
  const id = `http://${host}/users/ann`
  if (path.startsWith('/.well-known/'))
    return { subject: `acct:ann@${host}`, links: [{ rel: 'self', type: 'application/activity+json', href: id }] }
  return {
    ...{ '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'Person', preferredUsername: 'ann', inbox: `${id}/inbox` },
    ...{ url: `http://${host}/@ann`, publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: publicKey } },
  }
}

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const found = answer(path)
    if (found === 'nothing') return
    response.writeHead(found ? 200 : 404, {
      'content-type': path.startsWith('/.well-known/') ? 'application/jrd+json' : 'application/activity+json',
    })
    response.end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  world = await World.open({ settings: { FEDERATION_ALLOW_PRIVATE: 'true' } })
  mara = await world.person('mara')
})
afterAll(async () => {
  await world.close()
  elsewhere.closeAllConnections()
  elsewhere.close()
})

test('someone whom no one here knew is mentioned, once their server says who they are', async () => {
  const { mentions, content } = await mara.says(`hello @ann@${host}`)
  expect(mentions).toMatchObject([{ acct: `ann@${host}`, url: `http://${host}/@ann` }])
  expect(content).toContain(`href="http://${host}/@ann"`)
})

test('someone who is known is not asked for', async () => {
  const before = asked.length
  expect((await mara.says(`hello again @ann@${host}`)).mentions).toHaveLength(1)
  expect(asked).toHaveLength(before)
})

test('who is not there stays text, and so does who does not answer in three seconds', async () => {
  const begun = Date.now()
  const { mentions, content } = await mara.says(`@nobody@${host} @slow@${host}`)
  expect(mentions).toEqual([])
  expect(content).toBe(`<p>@nobody@${host} @slow@${host}</p>`)
  expect(Date.now() - begun).toBeLessThan(10_000)
})

test('an edit mentions people of other servers too', async () => {
  const { id } = await mara.says('hello')
  const { body } = await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: `hello @ann@${host}` } })
  expect(body.mentions).toMatchObject([{ acct: `ann@${host}` }])
})
