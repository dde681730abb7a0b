import { PERMISSIONS } from '@rookery/contracts/permissions'
import { type AnnouncementRecord, Publication } from '@rookery/contracts/statuses'
import { invalid } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../../clients.ts'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, text } from '../../http/fields.ts'

// Staff endpoints for announcements. The client API has none, so these are on no public route.

const PATH = '/admin/announcements'
const access = Staff(PERMISSIONS.manageAnnouncements, 'admin:write')

export const listAllAnnouncements = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageAnnouncements, 'admin:read'),
  summary: 'All announcements, latest first.',
  handle: async ({ call }, { staffAnnouncements }) => (await staffAnnouncements.list(call, {})).announcements,
})

const fields = form({ text: text(), starts_at: text(), ends_at: text(), all_day: flag(), publication: text() })

/** Parses a datetime-local value, as UTC; undefined if empty. @throws Failure invalid */
const momentOf = (typed: string | undefined, label: string): number | undefined => {
  if (!typed) return undefined
  const moment = Date.parse(/[zZ]$|[+-]\d\d:\d\d$/.test(typed) ? typed : `${typed}Z`)
  if (Number.isNaN(moment)) throw invalid(`${label} is not a valid time`)
  return moment
}

const PUBLICATIONS: Readonly<Record<string, Publication>> = { now: Publication.AT_ONCE, later: Publication.LATER }

export const createAnnouncement = endpoint({
  method: 'POST',
  path: PATH,
  access,
  summary: 'Announces something.',
  input: fields,
  handle: ({ call, input, viewerId }, { staffAnnouncements }) =>
    staffAnnouncements.create(call, {
      text: input.text ?? '',
      startsAtMilliseconds: momentOf(input.starts_at, 'Starts at'),
      endsAtMilliseconds: momentOf(input.ends_at, 'Ends at'),
      allDay: input.all_day ?? false,
      publication: PUBLICATIONS[input.publication ?? ''] ?? Publication.UNSPECIFIED,
      staffId: viewerId,
    }),
})

export const changeAnnouncement = endpoint({
  method: 'PUT',
  path: `${PATH}/:id`,
  access,
  summary: 'Changes an announcement.',
  input: fields,
  handle: ({ call, params, input, viewerId }, { staffAnnouncements }) =>
    staffAnnouncements.change(call, {
      id: params['id'] ?? '',
      text: input.text ?? '',
      startsAt: { atMilliseconds: momentOf(input.starts_at, 'Starts at') },
      endsAt: { atMilliseconds: momentOf(input.ends_at, 'Ends at') },
      allDay: input.all_day,
      staffId: viewerId,
    }),
})

type Act = 'publish' | 'withdraw' | 'delete'
type Calls = (call: Call, request: { id: string; staffId: string }) => Promise<AnnouncementRecord>

const acting = (act: Act, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:id/${act}`,
    access,
    summary,
    handle: ({ call, params, viewerId }, { staffAnnouncements }: Clients) => {
      const run: Calls = staffAnnouncements[act]
      return run(call, { id: params['id'] ?? '', staffId: viewerId })
    },
  })

export const publishAnnouncement = acting('publish', 'Shows an announcement at once.')
export const withdrawAnnouncement = acting('withdraw', 'Takes an announcement back.')
export const deleteAnnouncement = acting('delete', 'Deletes an announcement.')
