import type { Actor } from '@rookery/contracts/statuses'
import { ownCall } from '../../own-call.ts'
import { localName } from '../../vocabulary/index.ts'
import type { ReceivedDeps } from './deps.ts'

/** The local accounts among uris, by uri. Closed and unknown accounts are omitted. */
export type LocalPeople = (uris: readonly string[]) => Promise<Map<string, Actor>>

/**
 * Finds local accounts; suspended ones only for follows, which are answered, and for mentions and what ends or prevents a relationship, which count
 * when the suspension is over.
 */
export const localPeople =
  ({ baseUrl, statuses }: Pick<ReceivedDeps, 'baseUrl' | 'statuses'>, { withSuspended = false } = {}): LocalPeople =>
  async (uris) => {
    const names = new Map<string, string>()
    for (const uri of uris) {
      const name = localName(baseUrl, uri)
      if (name && name.statusId === '') names.set(uri, name.username.toLowerCase())
    }
    if (names.size === 0) return new Map()
    const { actors } = await statuses.outgoing.readActors(ownCall(), { usernames: [...new Set(names.values())], withSuspended })
    const byName = new Map(actors.map((actor) => [actor.username.toLowerCase(), actor]))
    return new Map([...names].flatMap(([uri, username]) => (byName.has(username) ? [[uri, byName.get(username)!] as const] : [])))
  }

/** The local account with this uri. */
export const localPerson = async (people: LocalPeople, uri: string): Promise<Actor | undefined> => (await people([uri])).get(uri)
