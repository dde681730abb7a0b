import type { RemoteEmoji, RemoteEmojiList } from '@rookery/contracts/statuses'
import { type Html, html } from '@rookery/pages'
import { copyRemoteEmoji, listRemoteEmojis, removeRemoteEmoji } from '../endpoints/emojis.ts'
import type { AdminPage } from '../page.ts'
import { actPart, filterPart, folded, formPart, type RecordParts, recordsPart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const PATH = '/admin/emojis/remote'

const emojiRecord = ({ domain, shortcode, url }: RemoteEmoji, visit: Visit): RecordParts => {
  const { emojis, remove } = visit.texts
  const values = { domain, shortcode }
  const copy = formPart(visit, {
    form: 'copy',
    values,
    fields: [
      { name: 'new_shortcode', label: emojis.shortcode, value: shortcode },
      { name: 'category', label: emojis.category },
    ],
    buttons: [{ label: emojis.copy, kind: 'quiet' }],
  })
  return {
    title: html`<img class="emoji large" src="${url}" alt=""> :${shortcode}:`,
    marks: [domain],
    body: html`${folded(emojis.copyHere, copy)}`,
    acts: [actPart(visit, { form: 'remove', label: remove, kind: 'danger', values })],
  }
}

/** The link to the next emojis. */
const morePart = ({ query, texts }: Visit, { nextAfterDomain, nextAfterShortcode }: RemoteEmojiList): Html | undefined => {
  if (nextAfterDomain === '') return undefined
  const parameters = new URLSearchParams(query)
  parameters.delete('done')
  parameters.set('after_domain', nextAfterDomain)
  parameters.set('after_shortcode', nextAfterShortcode)
  return html`<nav class="pager" aria-label="${texts.pager.label}"><a href="${PATH}?${String(parameters)}" rel="next">${texts.emojis.more}</a></nav>`
}

/** GET /admin/emojis/remote: the emojis of other servers, by domain. */
export const remoteEmojisPage: AdminPage = {
  path: PATH,
  section: 'emojis',
  tab: 'remoteEmojis',
  access: listRemoteEmojis.access,
  async read(visit) {
    const { texts, query } = visit
    const chosen = Object.fromEntries(['domain', 'after_domain', 'after_shortcode'].map((name) => [name, query.get(name) ?? '']))
    const found = await read<RemoteEmojiList>(visit, listRemoteEmojis, chosen)
    return {
      title: texts.emojis.remoteTitle,
      lead: texts.emojis.remoteLead,
      body: html`${filterPart(visit, [{ name: 'domain', label: texts.domains.domain, kind: 'search' }], texts.filter)}
${recordsPart(
  found.emojis.map((emoji) => emojiRecord(emoji, visit)),
  texts.none,
)}${morePart(visit, found)}`,
      files: found.emojis.map(({ url }) => url),
    }
  },
  forms: {
    copy: { endpoint: copyRemoteEmoji, done: 'added' },
    remove: { endpoint: removeRemoteEmoji, done: 'removed' },
  },
}
