import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signCavage, signRfc9421 } from '../src/signatures/index.ts'

/** A request that arrived at another server. */
export type Arrived = { host: string; method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }

type Answer = (request: Arrived, response: ServerResponse) => unknown

/** All other servers of a test: one HTTP server that answers for any host. By default it has no documents, and accepts all deliveries. */
export const openOtherServers = async ({ address = '127.0.0.1' } = {}) => {
  const arrived: Arrived[] = []
  const answers = new Map<string, Answer>()
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const chunks = await Array.fromAsync(request).catch(() => [])
    const each = { host: headers.host ?? '', method, path, headers, body: Buffer.concat(chunks) }
    arrived.push(each)
    const answer = answers.get(`${method} ${each.host}${path}`) ?? answers.get(`${method} ${each.host}`) ?? answers.get(method)
    if (answer) return answer(each, response)
    response.writeHead(method === 'POST' ? 202 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    arrived,
    host: (name: string) => `${name}:${port}`,
    posted: () => arrived.filter(({ method }) => method === 'POST'),
    /** Sets the response to a method, of a host, at a path: `GET`, `GET there.example:80`, `GET there.example:80/users/ann`. */
    on: (what: string, answer: Answer) => void answers.set(what, answer),
    off: (what: string) => void answers.delete(what),
    show: (url: string, document: object, type = 'application/activity+json') => {
      const { host, pathname, search } = new URL(url)
      answers.set(`GET ${host}${pathname}${search}`, (_request, response) =>
        response.writeHead(200, { 'Content-Type': type }).end(JSON.stringify(document)),
      )
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OtherServers = Awaited<ReturnType<typeof openOtherServers>>

/** An actor of another server, with a key. */
export type Stranger = ReturnType<typeof strangerAt>

const pems = (privateKey: KeyObject, publicKey: KeyObject) => ({
  privateKey,
  publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
})

export const newPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return pems(privateKey, publicKey)
}

/** Creates an actor on one of the other servers, which serves its document. */
export const strangerAt = (servers: OtherServers, host: string, name: string, { hasSharedInbox = true, pair = newPair() } = {}) => {
  const origin = `http://${servers.host(host)}`
  const uri = `${origin}/users/${name}`
  const keyId = `${uri}#main-key`
  const document = {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: name,
    name,
    url: `${origin}/@${name}`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    ...(hasSharedInbox && { endpoints: { sharedInbox: `${origin}/inbox` } }),
    publicKey: { id: keyId, owner: uri, publicKeyPem: pair.publicKeyPem },
  }
  servers.show(uri, document)
  const sign = { cavage: signCavage, rfc9421: signRfc9421 }
  return {
    name,
    origin,
    uri,
    keyId,
    host: servers.host(host),
    document,
    privateKey: pair.privateKey,
    inbox: hasSharedInbox ? `${origin}/inbox` : `${uri}/inbox`,
    like: (number: number, more: object = {}) => ({
      id: `${origin}/likes/${number}`,
      type: 'Like',
      actor: uri,
      object: 'https://here.example/users/mara/statuses/1',
      ...more,
    }),
    /** Signs a request to our server; returns the headers for fetch. */
    signed: (
      url: string,
      body: Buffer | undefined,
      { kind = 'cavage' as 'cavage' | 'rfc9421', now = Date.now(), signedUrl = url, key = { keyId, privateKey: pair.privateKey } } = {},
    ) => sign[kind]({ method: body ? 'POST' : 'GET', url: new URL(signedUrl), body }, key, now),
  }
}
