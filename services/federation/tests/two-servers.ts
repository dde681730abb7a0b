import { type Person, World } from '@rookery/test-world'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** Rounds of what one server does because of the other: a request, its answer, what follows from that, and what follows from this. */
const ROUNDS = 8

/** Two servers on this machine, each with people, that speak with each other over HTTP. */
export const openServers = async (settings: Record<string, string> = {}) => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const open = (host: string) => World.open({ host, resolve, settings: { FEDERATION_ALLOW_PRIVATE: 'true', ...settings } })
  const [here, there] = await Promise.all([open('here.example'), open('there.example')])
  const hostOf = (world: World) => new URL(world.address).host

  /** Resolves when what was done on either server has had its effect on both. */
  const idle = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const world of [here, there]) {
        await world.advance(0)
      }
    }
  }

  return {
    here,
    there,
    idle,
    /** How people of the other server write someone of this one. */
    handle: (world: World, person: Person) => `@${person.username}@${hostOf(world)}`,
    /** Moves the clocks of both, and does what is due then. */
    async advance(milliseconds: number) {
      await here.advance(milliseconds)
      await there.advance(milliseconds)
      await idle()
    },
    async close() {
      await Promise.all([here.close(), there.close()])
    },
  }
}

/** The account of someone elsewhere, looked up by their handle. */
export const found = async (asker: Person, handle: string): Promise<Json> => {
  const answer = await asker.get(`/api/v2/search?q=${encodeURIComponent(handle)}&type=accounts&resolve=true`)
  const account = answer.body.accounts?.[0]
  if (!account) throw new Error(`${asker.username} does not find ${handle}: ${answer.status} ${answer.text}`)
  return account
}

/** The status elsewhere that is at an address. */
export const foundStatus = async (asker: Person, url: string): Promise<Json> => {
  const answer = await asker.get(`/api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true`)
  const status = answer.body.statuses?.[0]
  if (!status) throw new Error(`${asker.username} does not find ${url}: ${answer.status} ${answer.text}`)
  return status
}

/** Follows someone elsewhere by their handle, and answers with their account. */
export const followsElsewhere = async (asker: Person, handle: string): Promise<Json> => {
  const account = await found(asker, handle)
  const answer = await asker.post(`/api/v1/accounts/${account.id}/follow`)
  if (answer.status !== 200) throw new Error(`${asker.username} does not follow ${handle}: ${answer.status} ${answer.text}`)
  return account
}

/** What someone is to the asker. */
export const relationship = async (asker: Person, account: { id: string }): Promise<Json> =>
  (await asker.get(`/api/v1/accounts/relationships?id[]=${account.id}&with_suspended=true`)).body[0]

/** The copy of a status of the other server, by its uri, in the asker's home. */
export const inHome = async (asker: Person, uri: string): Promise<Json> =>
  (await asker.home('?limit=40')).find((status) => status.uri === uri)
