import type { Presence } from '@rookery/ephemeral'
import { Failure, unavailable } from '@rookery/failures'
import { mayOpen } from './access.rules.ts'
import type { ListAccess } from './list-access.ts'
import { type Channel, type ChannelRequest, channelOf, isPersonal } from './names.ts'
import type { Person, Place } from './subscriber.ts'

export type EntranceDeps = {
  presence: Presence
  refuseOthers: ListAccess
  /** Why this process cannot read the live channel, or undefined. */
  fault(): string | undefined
}

/** Authorizes streams and registers their presence. */
export const createEntrance = ({ presence, refuseOthers, fault }: EntranceDeps) => {
  /** The requested stream, if it is allowed. @throws Failure malformed, unauthenticated for missing scopes or another's list */
  const permitted = async ({ accountId, scopes }: Person, request: ChannelRequest): Promise<Channel> => {
    const channel = channelOf(request, accountId)
    if (!mayOpen(scopes, channel)) throw new Failure('unauthenticated', 'Access token does not have the required scopes')
    if (channel.listId !== undefined) await refuseOthers(accountId, channel.listId)
    return channel
  }
  /** Registers presence for a stream; undefined while events could be missing on it. */
  const enter = async ({ accountId }: Person, channel: Channel): Promise<Place | undefined> => {
    if (fault() !== undefined) return undefined
    if (!isPersonal(channel)) return { channel, arrival: undefined, release() {} }
    const arrival = await presence.arrive(accountId)
    return arrival && { channel, arrival, release: () => presence.leave(accountId) }
  }
  /** @throws Failure as `permitted`; unavailable while events could be missing */
  const prepare = async (person: Person, request: ChannelRequest): Promise<Place> => {
    const place = await enter(person, await permitted(person, request))
    if (!place) throw unavailable()
    return place
  }
  return { permitted, enter, prepare }
}
