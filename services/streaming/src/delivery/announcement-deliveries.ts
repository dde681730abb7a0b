import { announcementEntity, announcementReactionEntity, type Renderer } from '@rookery/entities'
import { type Prepared, prepare } from '../channels/frames.ts'
import { EVERYONE_KEY } from '../channels/names.ts'
import type { OpenChannels } from '../channels/open.ts'
import type { Delivery, LiveEvent } from './deliveries.ts'

type AnnouncementEvent = Extract<LiveEvent, { $case: `announcement${string}` }>

const preparedOf = (event: AnnouncementEvent, { urls }: Renderer): Prepared | undefined => {
  switch (event.$case) {
    case 'announcement': {
      const { announcement } = event.value
      return announcement && prepare('announcement', JSON.stringify(announcementEntity(announcement, urls)))
    }
    case 'announcementReaction': {
      const { announcementId, reaction } = event.value
      return reaction && prepare('announcement.reaction', JSON.stringify(announcementReactionEntity(announcementId, reaction)))
    }
    case 'announcementDeletion':
      return prepare('announcement.delete', event.value.announcementId)
  }
}

/**
 * What became of an announcement (spec, Event types), to every `user` stream. It is rendered once for all of them and asks no other
 * service, so it costs what a public post does at most.
 */
export const announcementDeliveries =
  ({ open, renderer }: { open: OpenChannels; renderer: Renderer }) =>
  (event: AnnouncementEvent): Delivery[] => {
    const subscribers = [...open.hearing(EVERYONE_KEY)]
    const prepared = subscribers.length > 0 ? preparedOf(event, renderer) : undefined
    return prepared ? [{ event: prepared, subscribers }] : []
  }
