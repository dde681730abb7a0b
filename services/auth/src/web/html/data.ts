import { type Html, html } from '@rookery/pages'
import { choice, fileField, form } from './field.ts'
import type { Frame, Page } from './layout.ts'
import type { Texts } from './texts/index.ts'

/** An import and its progress. */
type ImportView = { id: string; kind: string; isFinished: boolean; lines: number; done: number; failed: number }

type DataView = {
  formToken: string
  /** The CSV files, in the order of the page. */
  files: readonly { kind: string; file: string }[]
  imports: readonly ImportView[]
  note?: string | undefined
  error?: string | undefined
  /** The previous choices, when the form is shown again. */
  chosen?: { kind: string; mode: string } | undefined
}

/** The key of the text for each kind of file. */
const NAMES: Record<string, keyof Texts['data']['lists']> = {
  following: 'following',
  lists: 'lists',
  blocks: 'blocks',
  mutes: 'mutes',
  domain_blocks: 'domainBlocks',
  bookmarks: 'bookmarks',
}

const nameOf = ({ data }: Texts, kind: string): string | undefined => {
  const name = NAMES[kind]
  return name && data.lists[name]
}

const importRow = (texts: Texts, { id, kind, isFinished, lines, done, failed }: ImportView): Html => {
  const { data } = texts
  const state = isFinished ? data.read(done, lines) : data.reading(done + failed, lines)
  return html`<li><div><strong>${nameOf(texts, kind)}</strong><span>${state}</span></div>
${failed > 0 && html`<a href="/auth/account/data/imports/${id}/failures.csv">${data.failures(failed)}</a>`}</li>`
}

const importForm = ({ texts }: Frame, view: DataView): Html => {
  const { data, language } = texts
  const body = html`
${choice({ name: 'kind', label: data.kind, options: view.files.map(({ kind }) => [kind, nameOf(texts, kind) ?? kind]), chosen: view.chosen?.kind })}
${fileField({ name: 'file', label: data.file, accept: '.csv,text/csv', error: view.error })}
${choice({
  name: 'mode',
  label: data.mode,
  options: [
    ['merge', data.merge],
    ['overwrite', data.overwrite],
  ],
  chosen: view.chosen?.mode,
})}
<button type="submit">${data.submit}</button>`
  return form({ action: `/auth/account/data?lang=${language}`, formToken: view.formToken, body, hasFile: true })
}

/** The page for export and import of data. */
export const dataPage = (frame: Frame, view: DataView): Page => {
  const { texts } = frame
  const { data } = texts
  const rows = view.files.map(
    ({ kind, file }) => html`<li><strong>${nameOf(texts, kind)}</strong><a href="/auth/account/data/${file}">${data.save}</a></li>`,
  )
  return {
    section: 'data',
    title: data.title,
    lead: data.lead,
    body: html`${view.note && html`<p class="notice" role="status">${view.note}</p>`}<ul class="rows">
<li><div><strong>${data.archive}</strong><span>${data.archiveHint}</span></div><a href="/auth/account/data/archive.zip">${data.save}</a></li>
${rows}
</ul>
<h2>${data.readIn}</h2>
${view.imports.length > 0 && html`<ul class="rows">${view.imports.map((each) => importRow(texts, each))}</ul>`}
${importForm(frame, view)}`,
  }
}
