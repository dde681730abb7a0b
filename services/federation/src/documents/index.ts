export { createFetchDocument, documentErrorOf, objectOf } from './fetch-document.ts'
