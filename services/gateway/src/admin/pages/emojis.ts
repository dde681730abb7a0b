import type { CustomEmoji } from '@rookery/contracts/statuses'
import { type Html, html } from '@rookery/pages'
import { changeEmoji, copyEmoji, importEmoji, listEmojis, MAX_PICTURE_BYTES, removeEmoji, setEmojiDisabled } from '../endpoints/emojis.ts'
import type { AdminPage } from '../page.ts'
import { actPart, folded, formPart, type RecordParts, recordsPart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const categoryField = ({ texts }: Visit, value: string) => ({ name: 'category', label: texts.emojis.category, value }) as const

const emojiRecord = ({ shortcode, url, category, visibleInPicker, isDisabled = false }: CustomEmoji, visit: Visit): RecordParts => {
  const { texts } = visit
  const values = { shortcode }
  const disabling = { form: 'disable', label: isDisabled ? texts.emojis.enable : texts.emojis.disable } as const
  const change = formPart(visit, {
    form: 'change',
    values,
    fields: [
      categoryField(visit, category),
      { name: 'visible_in_picker', label: texts.emojis.visible, kind: 'check', value: String(visibleInPicker) },
    ],
    buttons: [{ label: texts.save, kind: 'quiet' }],
  })
  const copy = formPart(visit, {
    form: 'copy',
    values,
    fields: [{ name: 'new_shortcode', label: texts.emojis.newShortcode }],
    buttons: [{ label: texts.emojis.copy, kind: 'quiet' }],
  })
  return {
    title: html`<img class="emoji large" src="${url}" alt=""> :${shortcode}:`,
    marks: [category, !visibleInPicker && texts.emojis.hidden, isDisabled && texts.emojis.disabled],
    body: html`${folded(texts.change, html`${change}${copy}`)}`,
    acts: [
      actPart(visit, { ...disabling, values: { ...values, disabled: String(!isDisabled) } }),
      actPart(visit, { form: 'remove', label: texts.remove, kind: 'danger', values, about: `:${shortcode}:` }),
    ],
  }
}

const addPart = (visit: Visit): Html => {
  const { emojis, add } = visit.texts
  return formPart(visit, {
    form: 'add',
    hasFile: true,
    fields: [
      { name: 'shortcode', label: emojis.shortcode, hint: emojis.shortcodeHint },
      categoryField(visit, ''),
      { name: 'picture', label: emojis.picture, hint: emojis.pictureHint, kind: 'file', accept: 'image/png,image/gif,image/webp' },
    ],
    buttons: [{ label: add }],
  })
}

/** GET /admin/emojis: the custom emojis of the server. */
export const emojisPage: AdminPage = {
  path: '/admin/emojis',
  section: 'emojis',
  tab: 'ownEmojis',
  isFirst: true,
  access: listEmojis.access,
  files: { names: ['picture'], bytes: MAX_PICTURE_BYTES },
  async read(visit) {
    const { texts } = visit
    const emojis = await read<CustomEmoji[]>(visit, listEmojis)
    return {
      title: texts.emojis.ownTitle,
      lead: texts.emojis.lead,
      body: html`${addPart(visit)}
${recordsPart(
  emojis.map((emoji) => emojiRecord(emoji, visit)),
  texts.none,
)}`,
      files: emojis.map(({ url }) => url),
    }
  },
  forms: {
    add: { endpoint: importEmoji, done: 'added' },
    change: { endpoint: changeEmoji, done: 'changed' },
    copy: { endpoint: copyEmoji, done: 'added' },
    disable: { endpoint: setEmojiDisabled, done: 'changed' },
    remove: { endpoint: removeEmoji, done: 'removed', final: () => 'removeEmoji' },
  },
}
