import { type Html, html } from './html.ts'
import type { Language } from './language.ts'

const SKIP: Record<Language, string> = { en: 'Skip the navigation', de: 'Navigation überspringen', fr: 'Passer la navigation' }

/** A navigation and the page below it; the first link skips the navigation, for keyboard users. */
export const besideNavigation = (language: Language, { navigation, page }: { navigation: Html; page: Html }): Html => html`
<a class="skip" href="#page">${SKIP[language]}</a>
${navigation}
<div class="page" id="page" tabindex="-1">
${page}
</div>`
