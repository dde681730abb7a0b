export { createFetchDocument, documentErrorOf, objectOf } from './fetch-document.ts'
export { jsonObjectOf } from './json.rules.ts'
export { orUndefined } from './or-undefined.ts'
