import type { Read } from './read.ts'
import { welcomePage } from './welcome-page.ts'

/** Reads the page at `/`. */
export const readWelcome: Read = async (_address, { call, frame, clients }) => {
  const { title, shortDescription, description } = await clients.instance.read(call, {})
  return welcomePage(frame, { title, description: shortDescription || description, maySignUp: clients.config.registrations !== 'closed' })
}
