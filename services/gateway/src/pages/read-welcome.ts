import type { Read } from './read.ts'
import { welcomePage } from './welcome-page.ts'

/** The page at `/`. */
export const readWelcome: Read = async (_address, { call, frame, clients }) => {
  const { title } = await clients.instance.read(call, {})
  return welcomePage(frame, { title, maySignUp: clients.config.registrations !== 'closed' })
}
