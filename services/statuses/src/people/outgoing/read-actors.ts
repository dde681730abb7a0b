import type { ActorList, ReadActorsRequest, ReadRemoteFollowersRequest, RemoteAccountIds } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { emojiMessage } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { placesOn } from '../../posts/outgoing/index.ts'
import { readActorRows, readRemoteFollowerIds } from './actor.store.ts'

type Deps = { database: Database<StatusesTables>; baseUrl: string }

/** Maximum followers per call. */
const MAX_FOLLOWERS = 5000

/** Local accounts with the data of their actor documents: one statement. */
export const readActors =
  ({ database, baseUrl }: Deps) =>
  async ({ ids, usernames, withSuspended }: ReadActorsRequest): Promise<ActorList> => {
    const places = placesOn(baseUrl)
    const names = usernames.map((username) => username.toLowerCase())
    const rows = await readActorRows(database, { ids, usernames: names, withSuspended })
    const actors = rows.map(({ noteHtml, fields, createdAt, aliases, movedTo, emojis, discoverable, hideCollections, ...row }) => ({
      ...row,
      note: noteHtml,
      fields: fields.map(({ name, html }) => ({ name, value: html })),
      discoverable: discoverable ?? undefined,
      hideCollections: hideCollections ?? undefined,
      createdAtMilliseconds: createdAt.getTime(),
      emojis: emojis.map(emojiMessage),
      alsoKnownAs: aliases.map(places.actor),
      movedTo: movedTo ? places.actor(movedTo) : '',
    }))
    return { actors }
  }

/** A part of the remote followers of a local account, in order of ids. */
export const readRemoteFollowers =
  ({ database }: Pick<Deps, 'database'>) =>
  async ({ accountId, afterId, limit }: ReadRemoteFollowersRequest): Promise<RemoteAccountIds> => {
    const wanted = Math.min(limit || MAX_FOLLOWERS, MAX_FOLLOWERS)
    const rows = await readRemoteFollowerIds(database, { accountId, after: afterId || '0', limit: wanted })
    return { ids: rows.map(({ id }) => id), lastId: rows.length === wanted ? (rows.at(-1)?.id ?? '') : '' }
  }
