import {
  GraphDefinition,
  QuotePolicy,
  RemoteAccountsDefinition,
  type RemoteProfile,
  type RemoteStatus,
  RemoteStatusesDefinition,
  type StoredRemoteStatus,
  Visibility,
} from '@rookery/contracts/statuses'
import { innerCall, innerClient } from './calls.ts'
import type { Person, World } from './index.ts'

/** A person of another server. */
export type Stranger = { id: string; username: string; domain: string; uri: string; url: string; acct: string }

/** Stores a person of another server. */
export const stranger = async (
  world: World,
  username: string,
  domain = 'far.example',
  more: Partial<RemoteProfile> = {},
): Promise<Stranger> => {
  const uri = `https://${domain}/users/${username}`
  const url = `https://${domain}/@${username}`
  const { id } = await innerClient(world, RemoteAccountsDefinition).store(innerCall(), {
    ...{ uri, url, username, domain, displayName: '', noteHtml: '', fields: [], avatarUrl: '', headerUrl: '', locked: false, bot: false },
    ...{ indexable: true, isMemorial: false, emojis: [], alsoKnownAs: [], replacesHandle: false, isGroup: false, isSuspended: false },
    ...{ attributionDomains: [], ...more },
  })
  return { id, username, domain, uri, url, acct: `${username}@${domain}` }
}

/** Makes someone follow someone, on whichever servers they are; a request is accepted. */
export const following = async (world: World, follower: { id: string }, followed: { id: string }): Promise<void> => {
  const graph = innerClient(world, GraphDefinition)
  const { requested } = await graph.follow(innerCall(), { viewerId: follower.id, accountId: followed.id })
  if (requested) await graph.authorizeFollowRequest(innerCall(), { viewerId: followed.id, accountId: follower.id })
}

let statuses = 0

/** A status as the server of its author sends it. */
export const statusBy = (world: World, author: Stranger, content: string, more: Partial<RemoteStatus> = {}): RemoteStatus => {
  const uri = `${author.uri}/statuses/${++statuses}`
  return {
    uri,
    url: `${author.url}/${statuses}`,
    authorId: author.id,
    visibility: Visibility.PUBLIC,
    contentHtml: `<p>${content}</p>`,
    spoilerText: '',
    sensitive: false,
    inReplyToId: '',
    inReplyToUri: '',
    publishedAtMilliseconds: world.clock.now(),
    attachments: [],
    mentionedAccountIds: [],
    tags: [],
    emojis: [],
    isReplyToUnknown: false,
    quotedStatusId: '',
    quotePolicy: QuotePolicy.UNSPECIFIED,
    quoteAuthorizationUri: '',
    needsQuoteApproval: false,
    isFetched: false,
    ...more,
  }
}

/** A picture of another server. */
export const pictureOf = (url: string, description = '') => ({
  ...{ type: 'image', url, previewUrl: '', description, blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', width: 640, height: 480 },
})

/** Stores a status of a person of another server. */
export const said = async (
  world: World,
  author: Stranger,
  content: string,
  more: Partial<RemoteStatus> = {},
): Promise<StoredRemoteStatus & RemoteStatus> => {
  const status = statusBy(world, author, content, more)
  const stored = await innerClient(world, RemoteStatusesDefinition).store(innerCall(), status)
  await world.idle()
  return { ...status, ...stored }
}

/** The ids in the home of a person. */
export const homeIds = async (person: Person): Promise<string[]> => (await person.home()).map(({ id }) => id)
