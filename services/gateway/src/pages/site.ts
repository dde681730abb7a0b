import { type Html, html } from '@rookery/pages'
import type { Frame } from './page.ts'

/** Links to the server's own pages, in every footer; the current page, at `path`, is marked. */
export const siteLinks = ({ texts }: Frame, { path, hasTerms }: { path: string; hasTerms: boolean }): Html => {
  const { nav } = texts
  const links = [
    ['/explore', nav.explore],
    ['/directory', nav.directory],
    ['/about', nav.about],
    ['/privacy-policy', nav.privacy],
    ...(hasTerms ? [['/terms-of-service', texts.terms.title]] : []),
    ['/settings', nav.account],
  ] as const
  return html`<footer><nav class="site" aria-label="${nav.label}">${links.map(
    ([address, name]) => html`<a href="${address}"${address === path && html` aria-current="page"`}>${name}</a>`,
  )}</nav></footer>`
}
