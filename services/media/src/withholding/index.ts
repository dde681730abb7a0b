export { type WithheldFiles, withheldFiles } from './withheld-files.ts'
export { forgetWithheld } from './withheld-owner.store.ts'
