import type { Values } from '@rookery/http'
import { type Html, html } from '@rookery/pages'
import { textWithEmojis, withEmojis } from '../pages/emojis.ts'
import type { Status } from './entities.ts'
import { warningFields } from './fields.ts'
import { type Button, choicePart, folded, manyPart, type RecordParts, recordsPart, timePart } from './parts.ts'
import type { Visit } from './visit.ts'

const filesPart = ({ media_attachments: files, sensitive }: Status, { texts }: Visit) => {
  if (files.length === 0) return undefined
  // Of what was deleted only the descriptions of its files are left.
  const pictures = files.map(({ url, preview_url: preview, description }) =>
    url === null
      ? html`<p class="small">${texts.reports.picture}${description && `: ${description}`}</p>`
      : html`<a href="${url}"${!description && html` aria-label="${texts.reports.picture}"`}>${preview ? html`<img src="${preview}" alt="${description ?? ''}" loading="lazy">` : texts.reports.picture}</a>`,
  )
  const shown = html`<div class="files">${pictures}</div>`
  return sensitive ? folded(texts.reports.sensitive, shown) : shown
}

/** Deleting posts cannot be undone, marking them can. */
export const finalOnPosts = ({ type, status_ids: ids }: Values) => (type === 'delete_statuses' && ids ? 'deletePosts' : undefined)

/** The fields and buttons of acts on chosen posts. */
const actingParts = ({ texts }: Visit) => ({
  fields: warningFields(texts),
  buttons: [
    { label: texts.statuses.mark, kind: 'quiet', name: 'type', value: 'mark_statuses_as_sensitive' },
    { label: texts.statuses.delete, kind: 'danger', name: 'type', value: 'delete_statuses' },
  ] as const satisfies Button[],
})

type Posts = {
  statuses: readonly Status[]
  /** The deleted ones among them: they are not linked and cannot be acted on. */
  deletedIds?: readonly string[]
  none: string
  values: Record<string, string>
  isReport?: boolean
  mayAct: boolean
}

/** Posts with a checkbox each, and acts on the chosen ones; on a report's page also whether to resolve it. */
export const postsPart = (visit: Visit, { statuses, deletedIds = [], none, values, isReport = false, mayAct }: Posts): Html => {
  const { texts } = visit
  const isGone = ({ id }: Status) => deletedIds.includes(id)
  const hasActs = mayAct && !statuses.every(isGone)
  const records = statuses.map((status) => ({
    ...(isGone(status) ? formerRecord(status, visit, texts.reports.deleted) : postRecord(status, visit)),
    choice:
      mayAct &&
      !isGone(status) &&
      choicePart(visit, { name: 'status_ids', value: status.id, label: texts.choose.one(texts.statuses.of(nameAt(visit, status))) }),
  }))
  const { fields, buttons } = actingParts(visit)
  const resolving = isReport ? [{ name: 'resolve', label: texts.statuses.resolve, kind: 'check', value: 'true' } as const] : []
  return html`${recordsPart(records, none)}
${hasActs && html`<h3>${texts.statuses.chosen}</h3>${manyPart(visit, { form: 'statuses', values, fields: [...fields, ...resolving], buttons })}`}`
}

const nameAt = ({ language }: Visit, { account, created_at: at }: Status) =>
  `@${account.username}, ${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))}`

/** A post with its text and files. Its HTML is from the API, which is safe. */
export const postRecord = (status: Status, visit: Visit): RecordParts => {
  const { content, spoiler_text: warning, account, url, created_at: at, emojis } = status
  const { texts } = visit
  const said = html`<div class="said">${withEmojis({ html: content }, emojis)}</div>${filesPart(status, visit)}`
  return {
    title: `@${account.username}`,
    href: url,
    marks: [status.visibility !== 'public' && texts.statuses.visibilities[status.visibility], status.sensitive && texts.reports.sensitive],
    facts: [timePart(visit, at)],
    body: warning ? folded(textWithEmojis(warning, emojis), said) : said,
  }
}

/** An earlier version of a post, without a link. */
export const formerRecord = (status: Status, visit: Visit, mark: string): RecordParts => {
  const { marks = [], ...record } = postRecord(status, visit)
  return { ...record, href: undefined, marks: [mark, ...marks] }
}

/** The images that a post shows. */
export const filesOfPost = ({ media_attachments: files, emojis }: Status): string[] => [
  ...files.flatMap(({ preview_url: preview }) => preview ?? []),
  ...emojis.map(({ url }) => url),
]
