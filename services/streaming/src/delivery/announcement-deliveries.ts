import { announcementEntity, announcementReactionEntity, type Renderer } from '@rookery/entities'
import { type Prepared, prepare } from '../channels/frames.ts'
import { EVERYONE_KEY } from '../channels/names.ts'
import type { LiveEvent } from './audience.rules.ts'
import type { Delivery, Target } from './delivery.ts'

type AnnouncementEvent = Extract<LiveEvent, { $case: `announcement${string}` }>

const preparedOf = (event: AnnouncementEvent, id: string, { urls }: Renderer): Prepared | undefined => {
  switch (event.$case) {
    case 'announcement': {
      const { announcement } = event.value
      return announcement && prepare({ event: 'announcement', payload: JSON.stringify(announcementEntity(announcement, urls)), id })
    }
    case 'announcementReaction': {
      const { announcementId, reaction } = event.value
      const payload = reaction && JSON.stringify(announcementReactionEntity(announcementId, reaction))
      return payload === undefined ? undefined : prepare({ event: 'announcement.reaction', payload, id })
    }
    case 'announcementDeletion':
      return prepare({ event: 'announcement.delete', payload: event.value.announcementId, id })
  }
}

/**
 * Delivers announcement events (spec, Event types) to every `user` stream. An event is rendered once for all and needs no call to other
 * services, so it costs at most as much as a public post.
 */
export const announcementDeliveries =
  (renderer: Renderer) =>
  (event: AnnouncementEvent, { id, subscribersTo }: Target): Delivery[] => {
    const subscribers = [...subscribersTo(EVERYONE_KEY)]
    const prepared = subscribers.length > 0 ? preparedOf(event, id, renderer) : undefined
    return prepared ? [{ event: prepared, subscribers }] : []
  }
