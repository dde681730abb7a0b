export { type Document, renderDocument } from './document.ts'
export { attributes, type Html, html } from './html.ts'
export { chooseLanguage, LANGUAGES, type Language, languageOf } from './language.ts'
export { type PageNeeds, pagePolicy } from './policy.ts'
