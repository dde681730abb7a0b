import type { Read } from './read.ts'
import { termsPage } from './terms-page.ts'

/** The page of the terms of service, those that hold or those of a day. */
export const readTerms: Read = async ({ date = '' }, { call, frame, clients }) =>
  termsPage(await clients.instance.readTerms(call, { effectiveOn: date }), frame)
