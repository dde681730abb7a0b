import { html } from '@rookery/pages'
import type { Page, PageContext } from './page.ts'
import { filesOfPeople, type People, peoplePart } from './people.ts'

/** The page of the profile directory. */
export const directoryPage = (people: People, given: PageContext & { isNewest: boolean }): Page => {
  const { frame, urls, isNewest } = given
  const { nav, directory } = frame.texts
  const current = (isCurrent: boolean) => isCurrent && html` aria-current="page"`
  return {
    status: 200,
    title: nav.directory,
    lead: directory.lead,
    body: html`<nav class="tabs" aria-label="${directory.sort}"><a href="/directory"${current(!isNewest)}>${directory.active}</a><a href="/directory?order=new"${current(isNewest)}>${directory.newest}</a></nav>
${peoplePart(people, { frame, urls })}`,
    files: filesOfPeople(people, urls),
  }
}
