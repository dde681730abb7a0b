import { type Actor, Actor as ActorMessage, type CustomEmoji } from '@rookery/contracts/statuses'
import type { JsonObject } from '../reading/json.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Places } from './places.ts'

const DAY = 86_400_000

/** With milliseconds, so that a reply or an edit within the same second is ordered after its predecessor. */
export const time = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const emojiTag = ({ shortcode, url }: CustomEmoji): JsonObject => ({
  type: 'Emoji',
  name: `:${shortcode}:`,
  icon: { type: 'Image', mediaType: mediaTypeOf(url, 'image/png'), url },
})

const picture = (url: string): JsonObject => ({ type: 'Image', mediaType: mediaTypeOf(url, 'image/jpeg'), url })

/** Hides the profile of a suspended account. */
const shownOf = (actor: Actor): Actor =>
  actor.isSuspended
    ? {
        ...ActorMessage.fromPartial({}),
        username: actor.username,
        bot: actor.bot,
        createdAtMilliseconds: actor.createdAtMilliseconds,
        isSuspended: true,
      }
    : actor

/** Renders a local actor. Its sign-up time is reduced to the day. */
export const renderActor = (given: Actor, { at, publicKeyPem }: { at: Places; publicKeyPem: string }): JsonObject => {
  const actor = shownOf(given)
  const { username } = actor
  const id = at.actor(username)
  return {
    id,
    type: actor.bot ? 'Service' : 'Person',
    preferredUsername: username,
    name: actor.displayName,
    summary: actor.note,
    url: at.profile(username),
    inbox: at.inbox(username),
    outbox: at.outbox(username),
    followers: at.followers(username),
    following: at.following(username),
    featured: at.featured(username),
    featuredTags: at.featuredTags(username),
    endpoints: { sharedInbox: at.sharedInbox },
    publicKey: { id: at.key(id), owner: id, publicKeyPem },
    manuallyApprovesFollowers: actor.locked,
    discoverable: actor.discoverable ?? false,
    indexable: actor.indexable,
    published: time(Math.floor(actor.createdAtMilliseconds / DAY) * DAY),
    memorial: actor.isMemorial,
    ...(actor.isSuspended ? { suspended: true } : {}),
    attachment: actor.fields.map(({ name, value }) => ({ type: 'PropertyValue', name, value })),
    tag: actor.emojis.map(emojiTag),
    ...(actor.avatarUrl ? { icon: picture(actor.avatarUrl) } : {}),
    ...(actor.headerUrl ? { image: picture(actor.headerUrl) } : {}),
    ...(actor.alsoKnownAs.length > 0 ? { alsoKnownAs: actor.alsoKnownAs } : {}),
    ...(actor.movedTo ? { movedTo: actor.movedTo } : {}),
    ...(actor.attributionDomains.length > 0 ? { attributionDomains: actor.attributionDomains } : {}),
  }
}
