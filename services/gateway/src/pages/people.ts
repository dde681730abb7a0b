import { type AccountBody, type AccountView, AccountBody as Body } from '@rookery/contracts/statuses'
import type { Addresses } from '@rookery/entities'
import { plainText } from '@rookery/markup'
import { type Html, html } from '@rookery/pages'
import { textWithEmojis } from './emojis.ts'
import { excerpt } from './head.ts'
import type { PageContext } from './page.ts'
import { type Pager, pagerPart } from './paging.ts'
import { filesOfPerson, personPart } from './person.ts'

/** A page of a list of people. */
export type People = { people: readonly AccountBody[]; pager: Pager }

/** The people of a page of the API, in order. */
export const peopleOf = ({ accounts }: { accounts: readonly AccountView[] }): AccountBody[] => accounts.map(({ body }) => Body.decode(body))

const MAX_NOTE = 160

export const peoplePart = ({ people, pager }: People, { frame, urls }: PageContext): Html => {
  const { texts, host } = frame
  const rows = people.map((account) => {
    const note = excerpt(plainText(account.note), MAX_NOTE)
    return html`<li>${personPart(account, { urls, host })}${note && html`<p class="small">${textWithEmojis(note, account.emojis)}</p>`}</li>`
  })
  return html`${rows.length > 0 ? html`<ul class="people">${rows}</ul>` : html`<p class="foot">${texts.noPeople}</p>`}
${pagerPart(pager, { texts, next: texts.pager.more })}`
}

/** The images that it shows. */
export const filesOfPeople = ({ people }: People, urls: Addresses): string[] => people.flatMap((account) => filesOfPerson(account, urls))
