import { RemoteAccountsDefinition, type RemoteProfile } from '@rookery/contracts/statuses'
import { type Definition, link } from '@rookery/rpc'
import type { World } from './index.ts'

/** A client of a service of the world, by its definition. */
export const innerClient = <D extends Definition>(world: World, definition: D) => {
  const served = world.rookery.rpc.find((handler) => handler.definition.fullName === definition.fullName)
  if (!served) throw new Error(`no module serves ${definition.fullName}`)
  return link(definition, served)
}

export const innerCall = () => ({ deadline: Date.now() + 30_000, signal: new AbortController().signal, trace: 'test' })

/** A profile as federation reads it from another server. */
export const remoteProfile = (username: string, domain: string, changes: Partial<RemoteProfile> = {}): RemoteProfile => ({
  uri: `https://${domain}/users/${username}`,
  url: `https://${domain}/@${username}`,
  username,
  domain,
  displayName: `${username} elsewhere`,
  noteHtml: `<p>${username}</p>`,
  fields: [],
  avatarUrl: '',
  headerUrl: '',
  attributionDomains: [],
  locked: false,
  bot: false,
  discoverable: true,
  indexable: true,
  hideCollections: undefined,
  isMemorial: false,
  createdAtMilliseconds: undefined,
  followersCount: undefined,
  followingCount: undefined,
  statusesCount: undefined,
  emojis: [],
  alsoKnownAs: [],
  replacesHandle: false,
  isGroup: false,
  isSuspended: false,
  ...changes,
})

/** Stores a person of another server and returns their id. */
export const storeRemote = async (world: World, profile: RemoteProfile): Promise<string> => {
  const { id } = await innerClient(world, RemoteAccountsDefinition).store(innerCall(), profile)
  return id
}
