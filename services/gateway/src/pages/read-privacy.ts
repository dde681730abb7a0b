import { privacyPage } from './privacy-page.ts'
import type { Read } from './read.ts'

/** The page of the privacy policy; where the operator wrote none, in the language of the page. */
export const readPrivacy: Read = async (_address, { call, frame, clients }) =>
  privacyPage(await clients.instance.readPrivacyPolicy(call, { language: frame.language }), frame)
