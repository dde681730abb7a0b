import type { AnnouncementRecord } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import { html } from '@rookery/pages'
import {
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../endpoints/announcements.ts'
import type { Field } from '../fields.ts'
import type { AdminPage } from '../page.ts'
import { actPart, formPart, recordsPart, timePart } from '../parts.ts'
import { wordFor } from '../texts/index.ts'
import { read, type Visit } from '../visit.ts'

const PATH = '/admin/announcements'

/** A time as the value of a datetime-local input, in UTC. */
const inputMoment = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '' : new Date(milliseconds).toISOString().slice(0, 16)

const fieldsOf = ({ texts }: Visit, record?: AnnouncementRecord): Field[] => {
  const { announcements } = texts
  return [
    { name: 'text', label: announcements.text, kind: 'area', value: record?.text ?? '' },
    { name: 'starts_at', label: announcements.startsAt, kind: 'datetime-local', value: inputMoment(record?.startsAtMilliseconds) },
    { name: 'ends_at', label: announcements.endsAt, kind: 'datetime-local', value: inputMoment(record?.endsAtMilliseconds) },
    { name: 'all_day', label: announcements.allDay, kind: 'check', value: String(record?.allDay ?? false) },
  ]
}

const stateOf = ({ state }: AnnouncementRecord, { texts }: Visit): string => wordFor(texts.announcements.states, state)

/** GET /admin/announcements: all announcements, and a form for a new one. */
export const announcementsPage: AdminPage = {
  path: PATH,
  section: 'announcements',
  isFirst: true,
  access: listAllAnnouncements.access,
  async read(visit) {
    const { texts } = visit
    const { announcements } = texts
    const records = (await read<AnnouncementRecord[]>(visit, listAllAnnouncements)).map((record) => {
      const { id, text, state, startsAtMilliseconds: start, endsAtMilliseconds: end } = record
      const title = text.length > 80 ? `${text.slice(0, 80)}…` : text
      const isShown = state === 'published' || state === 'scheduled'
      return {
        title,
        href: `${PATH}/${id}`,
        marks: [stateOf(record, visit)],
        facts: [
          start !== undefined && html`${announcements.startsAt}: ${timePart(visit, start)}`,
          end !== undefined && html`${announcements.endsAt}: ${timePart(visit, end)}`,
        ],
        acts: [
          state !== 'published' && state !== 'ended' && actPart(visit, { form: 'publish', label: announcements.publish, values: { id } }),
          isShown && actPart(visit, { form: 'withdraw', label: announcements.withdraw, values: { id } }),
          actPart(visit, { form: 'delete', label: announcements.delete, values: { id }, about: title, kind: 'danger' }),
        ],
      }
    })
    const publication = {
      name: 'publication',
      label: announcements.publication,
      kind: 'choice',
      options: Object.entries(announcements.publications),
    } as const
    return {
      title: texts.sections.announcements,
      lead: announcements.lead,
      body: html`<h2>${announcements.new}</h2>
${formPart(visit, { form: 'create', fields: [...fieldsOf(visit), publication], buttons: [{ label: texts.add }] })}
${recordsPart(records, texts.none)}`,
    }
  },
  forms: {
    create: { endpoint: createAnnouncement, done: 'added' },
    publish: { endpoint: publishAnnouncement, done: 'published' },
    withdraw: { endpoint: withdrawAnnouncement, done: 'withdrawn' },
    delete: { endpoint: deleteAnnouncement, done: 'removed', final: () => 'deleteAnnouncement' },
  },
}

/** GET /admin/announcements/:id: an announcement's text and times. */
export const announcementPage: AdminPage = {
  path: `${PATH}/:id`,
  section: 'announcements',
  access: listAllAnnouncements.access,
  async read(visit) {
    const { texts, params } = visit
    const all = await read<AnnouncementRecord[]>(visit, listAllAnnouncements)
    const record = orNotFound(all.find(({ id }) => id === params['id']))
    return {
      title: texts.sections.announcements,
      lead: stateOf(record, visit),
      body: html`${formPart(visit, { form: 'change', fields: fieldsOf(visit, record), buttons: [{ label: texts.save }] })}
<p class="foot"><a href="${PATH}">${texts.back}</a></p>`,
    }
  },
  forms: { change: { endpoint: changeAnnouncement, done: 'changed', next: () => PATH } },
}
