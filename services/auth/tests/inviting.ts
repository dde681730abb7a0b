import type { Browser, PageAnswer, World } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'

/** The page of someone's invitations. */
export const INVITES = '/auth/account/invites'

/** Signs someone of the world in, on the way to a page. */
export const enter = async (world: World, name: string, path = INVITES): Promise<Browser> => {
  const inside = browser(world)
  await inside.submit(await inside.visit('/auth/sign_in'), { email: `${name}@example.org`, password: `${name}-password` })
  await inside.go(path)
  return inside
}

/** The codes on a page, the latest first. */
export const codesOn = ({ text }: PageAnswer): string[] =>
  [...text.matchAll(/href="[^"]*\/invite\/([A-Za-z0-9]+)"/g)].map(([, code]) => code!)

/** Makes an invitation on someone's page; answers with its code. */
export const invites = async (inside: Browser, wanted: Record<string, string> = {}): Promise<string> => {
  const made = await inside.submit(await inside.go(INVITES), { max_uses: '', expires_in: '86400', ...wanted })
  const [code] = codesOn(made)
  if (!code) throw new Error(`no invitation was made: ${made.status} ${made.text}`)
  return code
}

/** What someone fills in who signs up. */
export const newcomer = (name: string): Record<string, string> => ({
  username: name,
  email: `${name}@example.org`,
  password: `${name}-password`,
  agreement: 'true',
})

/** Signs someone up by an invitation. */
export const comesBy = async (world: World, code: string, name: string, more: Record<string, string> = {}): Promise<PageAnswer> => {
  const visitor = browser(world)
  return visitor.submit(await visitor.visit(`/invite/${code}`), { ...newcomer(name), ...more })
}

/** The main heading of a page. */
export const heading = ({ text }: PageAnswer): string | undefined => /<h1>([^<]*)/.exec(text)?.[1]
