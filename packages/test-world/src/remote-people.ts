import { RemoteAccountsDefinition, type RemoteProfile } from '@rookery/contracts/statuses'
import { innerCall, innerClient } from './calls.ts'
import type { World } from './index.ts'

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
