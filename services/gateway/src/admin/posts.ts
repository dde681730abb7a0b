import { html } from '@rookery/pages'
import type { Status } from './entities.ts'
import { folded, type RecordParts, timePart } from './parts.ts'
import type { Visit } from './visit.ts'

const filesPart = ({ media_attachments: files, sensitive }: Status, { texts }: Visit) => {
  if (files.length === 0) return undefined
  const pictures = files.map(
    ({ url, preview_url: preview, description }) =>
      html`<a href="${url}"${!description && html` aria-label="${texts.reports.picture}"`}>${preview ? html`<img src="${preview}" alt="${description ?? ''}" loading="lazy">` : texts.reports.picture}</a>`,
  )
  const shown = html`<div class="files">${pictures}</div>`
  return sensitive ? folded(texts.reports.sensitive, shown) : shown
}

/** A post in place: what it says, with its files. Its HTML is what the API says, which is safe. */
export const postRecord = (status: Status, visit: Visit): RecordParts => {
  const { content, spoiler_text: warning, account, url, created_at: at } = status
  const said = html`<div class="said">${{ html: content }}</div>${filesPart(status, visit)}`
  return {
    title: `@${account.username}`,
    href: url,
    facts: [timePart(visit, at)],
    body: warning ? folded(warning, said) : said,
  }
}

/** Pictures that it shows. */
export const filesOfPost = ({ media_attachments: files }: Status): string[] => files.flatMap(({ preview_url: preview }) => preview ?? [])
