import { html } from '@rookery/pages'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Field } from '../fields.ts'
import type { AdminPage, Form } from '../page.ts'
import { actPart, filtered, formPart, pagerPart, type RecordParts, recordsPart } from '../parts.ts'
import type { SectionName, Texts } from '../texts/index.ts'
import { ask, type Visit } from '../visit.ts'

type Identified = { id: string }

type RecordPage<Entity extends Identified> = {
  path: string
  section: SectionName
  tab: keyof Texts['tabs']
  isFirst?: boolean
  title: (texts: Texts) => string
  lead: (texts: Texts) => string
  list: Endpoint
  create: Endpoint
  remove: Endpoint
  /** The fields of a new record. */
  fields: (visit: Visit) => readonly Field[]
  record: (entity: Entity, visit: Visit) => RecordParts
  /** Further forms, by name. */
  forms?: Readonly<Record<string, Form>>
  /** The acts of adding and removing that cannot be undone. */
  final?: { add?: Form['final']; remove?: Form['final'] }
  /** Content below the list. */
  more?: (visit: Visit) => Promise<ReturnType<typeof html>> | ReturnType<typeof html>
}

const PAGE = 50

/** A page of a list that staff maintain: its records, each with a button to remove it, and a form for a new one. */
export const recordPage = <Entity extends Identified>(given: RecordPage<Entity>): AdminPage => ({
  path: given.path,
  section: given.section,
  tab: given.tab,
  ...(given.isFirst && { isFirst: true }),
  access: given.list.access,
  async read(visit) {
    const { texts } = visit
    const { body, page } = await ask(visit, given.list, { ...filtered(visit, []), limit: String(PAGE) })
    const records = (body as Entity[]).map((entity) => {
      const record = given.record(entity, visit)
      const about = typeof record.title === 'string' ? { about: record.title } : {}
      const end = actPart(visit, { form: 'remove', label: texts.remove, values: { id: entity.id }, ...about })
      return { ...record, acts: [...(record.acts ?? []), end] }
    })
    return {
      title: given.title(texts),
      lead: given.lead(texts),
      body: html`${formPart(visit, { form: 'add', fields: given.fields(visit), buttons: [{ label: texts.add }] })}
${recordsPart(records, texts.none)}${pagerPart(visit, page)}${await given.more?.(visit)}`,
    }
  },
  forms: {
    add: { endpoint: given.create, done: 'added', ...(given.final?.add && { final: given.final.add }) },
    remove: { endpoint: given.remove, done: 'removed', ...(given.final?.remove && { final: given.final.remove }) },
    ...given.forms,
  },
})
