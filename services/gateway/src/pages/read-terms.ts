import type { Read } from './read.ts'
import { termsPage } from './terms-page.ts'

/** Reads the terms of service: the current ones, or those of a date. */
export const readTerms: Read = async ({ date = '' }, { call, frame, clients }) =>
  termsPage(await clients.instance.readTerms(call, { effectiveOn: date }), frame)
