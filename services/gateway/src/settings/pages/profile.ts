import type { Values } from '@rookery/http'
import { html, settingsName } from '@rookery/pages'
import { api } from '../../admin/api.ts'
import type { Field } from '../../admin/fields.ts'
import type { SignedInPage } from '../../admin/page.ts'
import { actPart, formPart } from '../../admin/parts.ts'
import { read, type Visit } from '../../admin/visit.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

const readProfile = api('GET /api/v1/profile')
const updateProfile = api('PATCH /api/v1/profile')

/** The fields used of Profile. */
type Profile = {
  display_name: string
  note: string
  fields: { name: string; value: string }[]
  avatar: string | null
  header: string | null
} & Record<Flag, boolean | null>

const FLAGS = [
  'locked',
  'bot',
  'discoverable',
  'indexable',
  'hide_collections',
  'show_media',
  'show_media_replies',
  'show_featured',
] as const
type Flag = (typeof FLAGS)[number]

/** Rows of a profile (beyond-the-spec 2.2). */
const ROWS = [1, 2, 3, 4]
const MAX_PICTURE_BYTES = 8 * 1024 * 1024
const PICTURES = ['avatar', 'header'] as const

const fieldsOf = (visit: Visit, profile: Profile): Field[] => {
  const { profile: texts } = SETTINGS_TEXTS[visit.language]
  const rows = ROWS.flatMap((number) => [
    { name: `name_${number}`, label: texts.rowName(number), value: profile.fields[number - 1]?.name ?? '' },
    { name: `value_${number}`, label: texts.rowValue(number), value: profile.fields[number - 1]?.value ?? '' },
  ])
  return [
    { name: 'display_name', label: texts.displayName, value: profile.display_name },
    { name: 'note', label: texts.note, kind: 'area', rows: 5, value: profile.note },
    ...rows,
    ...FLAGS.map((name): Field => ({ name, label: texts.flags[name], kind: 'check', value: String(profile[name] ?? false) })),
  ]
}

/** The fields of filled rows, by the API's name for them. */
const rowFieldsOf = (label: string, values: Values): string[] | undefined => {
  if (label !== 'Fields name' && label !== 'Fields value') return undefined
  const rows = ROWS.filter((number) => values[`name_${number}`] || values[`value_${number}`])
  return rows.map((number) => `${label === 'Fields name' ? 'name' : 'value'}_${number}`)
}

/** A picture, and the forms that change it. */
const picturePart = (visit: Visit, name: (typeof PICTURES)[number], address: string | null) => {
  const { profile: texts } = SETTINGS_TEXTS[visit.language]
  const field: Field = { name, label: texts.pictures[name], kind: 'file', accept: 'image/png,image/jpeg,image/gif,image/webp' }
  return html`<h2>${texts.pictures[name]}</h2>
${address && html`<div class="files"><img src="${address}" alt=""></div>`}
${formPart(visit, { form: name, fields: [field], hasFile: true, buttons: [{ label: visit.texts.save, kind: 'quiet' }] })}
${address && actPart(visit, { form: `remove_${name}`, label: visit.texts.remove })}`
}

/** GET /settings/profile: the person's profile. */
export const profilePage: SignedInPage = {
  path: '/settings/profile',
  section: 'profile',
  access: readProfile.access,
  files: { names: PICTURES, bytes: MAX_PICTURE_BYTES },
  async read(visit) {
    const profile = await read<Profile>(visit, readProfile)
    return {
      title: settingsName(visit.language, 'profile'),
      lead: SETTINGS_TEXTS[visit.language].profile.lead,
      files: [profile.avatar, profile.header].filter((address) => address !== null),
      body: html`${formPart(visit, { form: 'change', fields: fieldsOf(visit, profile), buttons: [{ label: visit.texts.save }] })}
${PICTURES.map((name) => picturePart(visit, name, profile[name]))}`,
    }
  },
  forms: {
    change: {
      endpoint: updateProfile,
      done: 'changed',
      fieldsOf: rowFieldsOf,
      values: ({ avatar: _avatar, header: _header, ...values }) => ({
        ...values,
        fields_attributes: ROWS.map((number) => ({ name: values[`name_${number}`] ?? '', value: values[`value_${number}`] ?? '' })),
      }),
    },
    avatar: { endpoint: updateProfile, done: 'changed', values: () => ({}) },
    header: { endpoint: updateProfile, done: 'changed', values: () => ({}) },
    remove_avatar: { endpoint: api('DELETE /api/v1/profile/avatar'), done: 'removed' },
    remove_header: { endpoint: api('DELETE /api/v1/profile/header'), done: 'removed' },
  },
}
