import { type Person, World } from '@rookery/test-world'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** Rounds of work that one server causes on the other: a request, its answer, and the effects of both. */
const ROUNDS = 8

/** Starts two servers that federate over HTTP on this machine. */
export const openServers = async (settings: Record<string, string> = {}) => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const open = (host: string) => World.open({ host, resolve, settings: { FEDERATION_ALLOW_PRIVATE: 'true', ...settings } })
  const [here, there] = await Promise.all([open('here.example'), open('there.example')])
  const hostOf = (world: World) => new URL(world.address).host

  /** Resolves when acts on either server have had their effects on both. */
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
    /** The handle of an account as users of the other server write it. */
    handle: (world: World, person: Person) => `@${person.username}@${hostOf(world)}`,
    /** Advances the clocks of both servers, and runs due work. */
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

/** The account with a handle on another server, by a resolving search. */
export const found = async (asker: Person, handle: string): Promise<Json> => {
  const answer = await asker.get(`/api/v2/search?q=${encodeURIComponent(handle)}&type=accounts&resolve=true`)
  const account = answer.body.accounts?.[0]
  if (!account) throw new Error(`${asker.username} does not find ${handle}: ${answer.status} ${answer.text}`)
  return account
}

/** The status at an address on another server, by a resolving search. */
export const foundStatus = async (asker: Person, url: string): Promise<Json> => {
  const answer = await asker.get(`/api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true`)
  const status = answer.body.statuses?.[0]
  if (!status) throw new Error(`${asker.username} does not find ${url}: ${answer.status} ${answer.text}`)
  return status
}

/** Follows an account of another server by handle, and returns it. */
export const followsElsewhere = async (asker: Person, handle: string): Promise<Json> => {
  const account = await found(asker, handle)
  const answer = await asker.post(`/api/v1/accounts/${account.id}/follow`)
  if (answer.status !== 200) throw new Error(`${asker.username} does not follow ${handle}: ${answer.status} ${answer.text}`)
  return account
}

/** The relationship of the asker to an account. */
export const relationship = async (asker: Person, account: { id: string }): Promise<Json> =>
  (await asker.get(`/api/v1/accounts/relationships?id[]=${account.id}&with_suspended=true`)).body[0]

/** The copy of a remote status in the asker's home, by uri. */
export const inHome = async (asker: Person, uri: string): Promise<Json> =>
  (await asker.home('?limit=40')).find((status) => status.uri === uri)
