import { html } from './html.ts'
import type { Frame, Page } from './layout.ts'

/** The files of lists, by what the texts call them. */
const LISTS = [
  ['following', 'following_accounts.csv'],
  ['lists', 'lists.csv'],
  ['blocks', 'blocked_accounts.csv'],
  ['mutes', 'muted_accounts.csv'],
  ['domainBlocks', 'blocked_domains.csv'],
  ['bookmarks', 'bookmarks.csv'],
] as const

/** The page where somebody takes along what is theirs. */
export const dataPage = ({ texts }: Frame): Page => {
  const { data } = texts
  const rows = LISTS.map(
    ([name, file]) => html`<li><strong>${data.lists[name]}</strong><a href="/auth/account/data/${file}">${data.save}</a></li>`,
  )
  return {
    title: data.title,
    lead: data.lead,
    body: html`<ul class="rows">
<li><div><strong>${data.archive}</strong><span>${data.archiveHint}</span></div><a href="/auth/account/data/archive.zip">${data.save}</a></li>
${rows}
</ul>
<p class="foot"><a href="/auth/account?lang=${texts.language}">${texts.account.back}</a></p>`,
  }
}
