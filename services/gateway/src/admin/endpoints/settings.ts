import { readFile } from 'node:fs/promises'
import type { InstanceCard } from '@rookery/contracts/federation'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { invalid } from '@rookery/failures'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, text } from '../../http/fields.ts'

// Staff endpoints for the server's texts and rules. The client API has none, so these are on no public route.

const TEXTS = '/admin/settings'
const RULES = '/admin/settings/rules'
const TERMS = '/admin/settings/terms'
const writing = Staff(PERMISSIONS.manageSettings, 'admin:write')
const ruling = Staff(PERMISSIONS.manageRules, 'admin:write')

export const readTexts = endpoint({
  method: 'GET',
  path: TEXTS,
  access: Staff(PERMISSIONS.manageSettings, 'admin:read'),
  summary: 'What the server says of itself.',
  handle: async ({ call }, { instanceSettings }) => (await instanceSettings.read(call, {})).texts,
})

const names = {
  title: text(),
  short_description: text(),
  extended_description: text(),
  privacy_policy: text(),
  contact_email: text(),
  contact_account: text(),
  color: text(),
}

export const changeTexts = endpoint({
  method: 'PUT',
  path: TEXTS,
  access: writing,
  summary: 'Changes what the server says of itself.',
  input: form(names),
  handle: async ({ call, input, viewerId }, { instanceSettings }) => {
    const texts = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value, isStored: true }]))
    return (await instanceSettings.change(call, { texts, staffId: viewerId })).texts
  },
})

export const listRules = endpoint({
  method: 'GET',
  path: RULES,
  access: Staff(PERMISSIONS.manageRules, 'admin:read'),
  summary: 'The rules of the server.',
  handle: async ({ call }, { instance }) => (await instance.readRules(call, {})).rules,
})

const rule = form({ text: text(), hint: text() })

export const createRule = endpoint({
  method: 'POST',
  path: RULES,
  access: ruling,
  summary: 'Adds a rule.',
  input: rule,
  handle: async ({ call, input, viewerId }, { instanceSettings }) =>
    (await instanceSettings.createRule(call, { text: input.text ?? '', hint: input.hint ?? '', staffId: viewerId })).rules,
})

export const changeRule = endpoint({
  method: 'PUT',
  path: `${RULES}/:id`,
  access: ruling,
  summary: 'Changes a rule.',
  input: rule,
  handle: async ({ call, params, input, viewerId }, { instanceSettings }) => {
    const request = { id: params['id'] ?? '', text: input.text ?? '', hint: input.hint ?? '', staffId: viewerId }
    return (await instanceSettings.changeRule(call, request)).rules
  },
})

export const deleteRule = endpoint({
  method: 'DELETE',
  path: `${RULES}/:id`,
  access: ruling,
  summary: 'Removes a rule.',
  handle: async ({ call, params, viewerId }, { instanceSettings }) =>
    (await instanceSettings.deleteRule(call, { id: params['id'] ?? '', staffId: viewerId })).rules,
})

export const listTerms = endpoint({
  method: 'GET',
  path: TERMS,
  access: Staff(PERMISSIONS.manageSettings, 'admin:read'),
  summary: 'All versions of the terms of service.',
  handle: async ({ call }, { instanceSettings }) => (await instanceSettings.listTerms(call, {})).versions,
})

export const publishTerms = endpoint({
  method: 'POST',
  path: TERMS,
  access: writing,
  summary: 'Publishes the terms of service that hold from a day on.',
  input: form({ text: text(), effective_on: text() }),
  handle: async ({ call, input, viewerId }, { instanceSettings }) =>
    (await instanceSettings.publishTerms(call, { text: input.text ?? '', effectiveOn: input.effective_on ?? '', staffId: viewerId }))
      .versions,
})

export const deleteTerms = endpoint({
  method: 'DELETE',
  path: `${TERMS}/:effective_on`,
  access: writing,
  summary: 'Deletes a version of the terms of service.',
  handle: async ({ call, params, viewerId }, { instanceSettings }) =>
    (await instanceSettings.deleteTerms(call, { effectiveOn: params['effective_on'] ?? '', staffId: viewerId })).versions,
})

const APPEARANCE = '/admin/settings/appearance'

/** Maximum bytes of an upload; federation has a limit of a megabyte, and an error message for it. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024

export const readAppearance = endpoint({
  method: 'GET',
  path: APPEARANCE,
  access: Staff(PERMISSIONS.manageSettings, 'admin:read'),
  summary: 'Picture, icon and color of the server.',
  handle: async ({ call }, { instance }): Promise<Pick<InstanceCard, 'pictures' | 'color' | 'title'>> => {
    const { pictures, color, title } = await instance.read(call, {})
    return { pictures, color, title }
  },
})

export const changePicture = endpoint({
  method: 'PUT',
  path: `${APPEARANCE}/:kind`,
  access: writing,
  summary: 'Changes the picture or the icon of the server, or sets it back to the one that comes with the software.',
  input: form({ reset: flag() }),
  handle: async ({ call, params, input, files, viewerId }, { instanceSettings }) => {
    const file = files.get('picture')
    if (!file && !input.reset) throw invalid("Picture can't be blank")
    const content = file ? await readFile(file.path) : Buffer.alloc(0)
    return (await instanceSettings.setPicture(call, { kind: params['kind'] ?? '', content, staffId: viewerId })).pictures
  },
})
