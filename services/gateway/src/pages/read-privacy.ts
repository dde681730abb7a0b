import { privacyPage } from './privacy-page.ts'
import type { Read } from './read.ts'

/** Reads the privacy policy; the default one, in the language of the page, if the operator wrote none. */
export const readPrivacy: Read = async (_address, { call, frame, clients }) =>
  privacyPage(await clients.instance.readPrivacyPolicy(call, { language: frame.language }), frame)
