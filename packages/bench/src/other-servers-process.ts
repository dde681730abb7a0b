import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { Command, StandIns } from './other-servers.ts'

/**
 * Stand-ins for other servers, each at a loopback address of its own, in a separate thread. They serve their people, accept deliveries and
 * count them by type, and send signed activities on command.
 */
const { servers, people, origin } = workerData as StandIns
/** One key for all people, since generating ten thousand keys is not what is measured. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const counts = new Map<string, number>()
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let port = 0

const hostOf = (server: number) => `127.1.${Math.floor(server / 250)}.${1 + (server % 250)}:${port}`
const uriOf = (person: number) => `http://${hostOf(person % servers)}/users/p${person}`

const actor = (host: string, name: string) => ({
  '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
  id: `http://${host}/users/${name}`,
  type: 'Person',
  preferredUsername: name,
  name,
  inbox: `http://${host}/users/${name}/inbox`,
  endpoints: { sharedInbox: `http://${host}/inbox` },
  publicKey: { id: `http://${host}/users/${name}#main-key`, owner: `http://${host}/users/${name}`, publicKeyPem },
})

const finger = (host: string, name: string) => ({
  subject: `acct:${name}@${host}`,
  links: [{ rel: 'self', type: 'application/activity+json', href: `http://${host}/users/${name}` }],
})

/** The document of a stand-in at a path: a person, or their handle. */
const shown = (host: string, path: string): { type: string; document: object } | undefined => {
  const [, name] = /^\/users\/(\w+)$/.exec(path) ?? []
  if (name) return { type: 'application/activity+json', document: actor(host, name) }
  const [, sought] = /^\/\.well-known\/webfinger\?resource=acct(?::|%3A)(\w+)/i.exec(path) ?? []
  return sought ? { type: 'application/jrd+json', document: finger(host, sought) } : undefined
}

const server = createServer((incoming, response) => {
  const { host = '' } = incoming.headers
  const chunks: Buffer[] = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    if (incoming.method === 'POST') {
      const { type } = JSON.parse(Buffer.concat(chunks).toString()) as { type: string }
      counts.set(type, (counts.get(type) ?? 0) + 1)
      return response.writeHead(202).end()
    }
    const found = shown(host, incoming.url ?? '')
    if (!found) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': found.type }).end(JSON.stringify(found.document))
  })
})

/** Delivers an activity of a person, signed as in draft-cavage-http-signatures-12; resolves to the status. */
const deliver = (person: number, activity: object): Promise<number> => {
  const body = Buffer.from(JSON.stringify(activity))
  const url = new URL('/inbox', origin)
  const date = new Date().toUTCString()
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  const text = `(request-target): post /inbox\nhost: ${url.host}\ndate: ${date}\ndigest: ${digest}`
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
  const headers = {
    date,
    digest,
    'content-type': 'application/activity+json',
    'content-length': body.length,
    signature: `keyId="${uriOf(person)}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",signature="${signature}"`,
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const SENDERS = 32

/** Sends one activity from each person, some concurrently; resolves to how many were refused. */
const send = async ({ type, object, count }: { type: string; object: string; count: number }): Promise<number> => {
  let next = 0
  let refused = 0
  const sendNext = async () => {
    while (next < count) {
      const person = next++
      const uri = uriOf(person % people)
      const activity = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${uri}/${type}/${object}/${person}`,
        type,
        actor: uri,
        object,
      }
      if ((await deliver(person % people, activity)) !== 202) refused++
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendNext))
  return refused
}

parentPort?.on('message', async (command: Command) => {
  parentPort?.postMessage(command.what === 'send' ? await send(command) : (counts.get(command.type) ?? 0))
})

// On all addresses, since each stand-in has its own. The first message says that it listens.
server.listen(0, '0.0.0.0', () => {
  port = (server.address() as AddressInfo).port
  parentPort?.postMessage(0)
})
