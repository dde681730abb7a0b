import { announcementEntity } from '@rookery/entities'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form } from '../http/fields.ts'
import { recordId } from './replies.ts'

export const readAnnouncements = endpoint({
  method: 'GET',
  path: '/api/v1/announcements',
  access: User(),
  summary: 'Announcements of the server that are published and have not ended.',
  input: form({ with_dismissed: flag() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const { announcements } = await clients.announcements.list(call, { viewerId, withDismissed: input.with_dismissed ?? false })
    return announcements.map((announcement) => announcementEntity(announcement, clients.render.urls))
  },
})

export const dismissAnnouncement = endpoint({
  method: 'POST',
  path: '/api/v1/announcements/:id/dismiss',
  access: User('write:accounts'),
  summary: 'Marks an announcement as read.',
  handle: async ({ call, params, viewerId }, { announcements }) => {
    await announcements.dismiss(call, { id: recordId(params), viewerId })
    return {}
  },
})

const reactionOf = (params: Record<string, string>, viewerId: string) => ({ id: recordId(params), viewerId, name: params['name'] ?? '' })

export const addAnnouncementReaction = endpoint({
  method: 'PUT',
  path: '/api/v1/announcements/:id/reactions/:name',
  access: User('write:favourites'),
  summary: 'Reacts to an announcement with a Unicode emoji, or a custom one by its shortcode.',
  handle: async ({ call, params, viewerId }, { announcements }) => {
    await announcements.react(call, reactionOf(params, viewerId))
    return {}
  },
})

export const removeAnnouncementReaction = endpoint({
  method: 'DELETE',
  path: '/api/v1/announcements/:id/reactions/:name',
  access: User('write:favourites'),
  summary: 'Takes back a reaction to an announcement.',
  handle: async ({ call, params, viewerId }, { announcements }) => {
    await announcements.removeReaction(call, reactionOf(params, viewerId))
    return {}
  },
})
