import { request as overHttp } from 'node:http'
import { json } from 'node:stream/consumers'
import { World } from '@rookery/test-world'
import { openOtherServers, type Stranger, strangerAt } from './other-server.ts'

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

/** Our server among fake ones: the test signs their activities, and answers requests to them. */
export const openAmongStrangers = async (settings: Record<string, string> = {}) => {
  const servers = await openOtherServers()
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const world = await World.open({ host: 'here.example', resolve, settings: { FEDERATION_ALLOW_PRIVATE: 'true', ...settings } })
  const { port, hostname } = new URL(world.origin)
  const host = new URL(world.address).host

  /** Delivers an activity to the shared inbox, signed by its actor, with additional headers; returns the status. */
  const deliver = (stranger: Stranger, activity: object, more: Record<string, string> = {}): Promise<number> => {
    const body = Buffer.from(JSON.stringify(activity))
    const headers = stranger.signed(`${world.address}/inbox`, body, { now: world.clock.now() })
    return new Promise((done, failed) => {
      const request = overHttp({
        host: hostname,
        port,
        method: 'POST',
        path: '/inbox',
        headers: { ...headers, ...more, host, 'content-type': 'application/activity+json' },
      })
      request.on('response', (response) => {
        response.resume()
        response.on('end', () => done(response.statusCode ?? 0))
      })
      request.on('error', failed)
      request.end(body)
    })
  }

  /** Fetches a document with a stranger's signature. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what documents say without restating their types
  const fetches = (path: string, stranger: Stranger): Promise<any> => {
    const signed = stranger.signed(`${world.address}${path}`, undefined, { now: world.clock.now() })
    return new Promise((done, failed) => {
      const headers = { ...signed, host, accept: 'application/activity+json' }
      const request = overHttp({ host: hostname, port, path, headers }, (response) => void json(response).then(done, failed))
      request.on('error', failed).end()
    })
  }

  const idle = () => world.advance(0)

  let made = 0
  return {
    world,
    servers,
    idle,
    deliver,
    fetches,
    /** Creates an actor on a server of its own. */
    stranger: (name: string, serverName = `${name}.example`) => strangerAt(servers, serverName, name),
    /** Delivers an activity, and waits for its effects. */
    async sends(stranger: Stranger, activity: object, headers: Record<string, string> = {}): Promise<void> {
      const status = await deliver(stranger, { id: `${stranger.origin}/activities/${++made}`, actor: stranger.uri, ...activity }, headers)
      if (status !== 202) throw new Error(`${stranger.uri} sends: ${status}`)
      await idle()
    },
    /** The first activity of a type that was sent to others and matches a condition. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look at what activities say without restating their types
    sent: (type: string, isMeant: (activity: any) => boolean = () => true): any =>
      servers
        .posted()
        .map(({ body }) => JSON.parse(String(body)))
        .find((activity) => activity.type === type && isMeant(activity)),
    /** Creates a note of a stranger, and serves it at its id. */
    note(stranger: Stranger, more: Record<string, unknown> = {}) {
      const note = {
        '@context': 'https://www.w3.org/ns/activitystreams',
        id: `${stranger.origin}/notes/${++made}`,
        type: 'Note',
        attributedTo: stranger.uri,
        to: [PUBLIC],
        cc: [`${stranger.uri}/followers`],
        content: '<p>hello</p>',
        published: new Date(world.clock.now()).toISOString(),
        ...more,
      }
      servers.show(note.id, note)
      return note
    },
    actorOf: (username: string) => `${world.address}/users/${username}`,
    mention: (username: string) => ({ type: 'Mention', href: `${world.address}/users/${username}`, name: `@${username}@${host}` }),
    async close() {
      await world.close()
      await servers.close()
    },
  }
}
