export { type Body, type BodyOptions, EMPTY_BODY, hasBody, queryOf, readBody } from './body.ts'
export { parseForm, type Repeated } from './form.ts'
export type { UploadedFile } from './uploads.ts'
export { checkedText, MAX_BYTES, MAX_VALUES, type Values } from './values.ts'
