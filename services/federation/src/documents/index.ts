export { createFetchDocument, documentErrorOf, objectOf } from './fetch-document.ts'
export { jsonObjectOf } from './json.rules.ts'
