import { readFile } from 'node:fs/promises'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Staff } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, text } from '../../http/fields.ts'

// Staff endpoints for emojis. The client API has none, so these are on no public route.

const PATH = '/admin/emojis'
const access = Staff(PERMISSIONS.manageCustomEmojis, 'admin:write')

/** Maximum bytes of an upload; statuses has a lower limit, and an error message for it. */
export const MAX_PICTURE_BYTES = 1024 * 1024

export const listEmojis = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageCustomEmojis, 'admin:read'),
  summary: 'All custom emojis, by category and shortcode.',
  handle: async ({ call }, { staffEmojis }) => (await staffEmojis.list(call, {})).emojis,
})

export const importEmoji = endpoint({
  method: 'POST',
  path: PATH,
  access,
  summary: 'Adds a custom emoji, or puts a picture in place of its former one.',
  input: form({ shortcode: text(), category: text() }),
  handle: async ({ call, input, files, viewerId }, { staffEmojis }) => {
    const file = files.get('picture')
    const picture = file ? await readFile(file.path) : Buffer.alloc(0)
    return staffEmojis.import(call, { shortcode: input.shortcode ?? '', category: input.category ?? '', picture, staffId: viewerId })
  },
})

export const setEmojiDisabled = endpoint({
  method: 'POST',
  path: `${PATH}/:shortcode/disabled`,
  access,
  summary: 'Says whether people may use a custom emoji.',
  input: form({ disabled: flag() }),
  handle: ({ call, params, input, viewerId }, { staffEmojis }) =>
    staffEmojis.setDisabled(call, { shortcode: params['shortcode'] ?? '', isDisabled: input.disabled ?? false, staffId: viewerId }),
})

export const listRemoteEmojis = endpoint({
  method: 'GET',
  path: `${PATH}/remote`,
  access: Staff(PERMISSIONS.manageCustomEmojis, 'admin:read'),
  summary: 'Emojis that came with statuses and profiles of other servers, by domain and shortcode.',
  input: form({ domain: text(), after_domain: text(), after_shortcode: text() }),
  handle: ({ call, input }, { staffEmojis }) =>
    staffEmojis.listRemote(call, {
      domain: input.domain ?? '',
      afterDomain: input.after_domain ?? '',
      afterShortcode: input.after_shortcode ?? '',
    }),
})

export const copyRemoteEmoji = endpoint({
  method: 'POST',
  path: `${PATH}/remote/copy`,
  access,
  summary: 'Adds the picture of an emoji of another server to those of this one.',
  input: form({ domain: text(), shortcode: text(), new_shortcode: text(), category: text() }),
  handle: ({ call, input, viewerId }, { staffEmojis }) =>
    staffEmojis.copyRemote(call, {
      domain: input.domain ?? '',
      shortcode: input.shortcode ?? '',
      newShortcode: input.new_shortcode ?? '',
      category: input.category ?? '',
      staffId: viewerId,
    }),
})

export const removeRemoteEmoji = endpoint({
  method: 'POST',
  path: `${PATH}/remote/remove`,
  access,
  summary: 'Takes an emoji of another server off the list until something comes with it again.',
  input: form({ domain: text(), shortcode: text() }),
  handle: ({ call, input, viewerId }, { staffEmojis }) =>
    staffEmojis.removeRemote(call, { domain: input.domain ?? '', shortcode: input.shortcode ?? '', staffId: viewerId }),
})

export const changeEmoji = endpoint({
  method: 'PUT',
  path: `${PATH}/:shortcode`,
  access,
  summary: 'Changes how a picker shows a custom emoji.',
  input: form({ category: text(), visible_in_picker: flag() }),
  handle: ({ call, params, input, viewerId }, { staffEmojis }) =>
    staffEmojis.change(call, {
      shortcode: params['shortcode'] ?? '',
      category: input.category ?? '',
      visibleInPicker: input.visible_in_picker ?? true,
      staffId: viewerId,
    }),
})

export const copyEmoji = endpoint({
  method: 'POST',
  path: `${PATH}/:shortcode/copy`,
  access,
  summary: 'Adds another shortcode for the picture of a custom emoji.',
  input: form({ new_shortcode: text() }),
  handle: ({ call, params, input, viewerId }, { staffEmojis }) =>
    staffEmojis.copy(call, { shortcode: params['shortcode'] ?? '', newShortcode: input.new_shortcode ?? '', staffId: viewerId }),
})

export const removeEmoji = endpoint({
  method: 'DELETE',
  path: `${PATH}/:shortcode`,
  access,
  summary: 'Removes a custom emoji; what was written with it keeps its picture.',
  handle: ({ call, params, viewerId }, { staffEmojis }) =>
    staffEmojis.remove(call, { shortcode: params['shortcode'] ?? '', staffId: viewerId }),
})
