import { localAddress } from '../local-address.ts'

/** The target of an address: a record of this server, or a name that an app can search for. */
type InteractionTarget = { kind: 'here'; username: string; id: string | undefined } | { kind: 'elsewhere'; name: string }

const HANDLE = /^(?:acct:)?@?(\w(?:[\w.-]{0,62}\w)?)@([a-z0-9.-]{1,253}(?::\d{1,5})?)$/i
const MAX_LENGTH = 2048

/** The target of `uri` of /authorize_interaction: a handle with or without acct:, or a URL; undefined for anything else. */
export const interactionTarget = (typed: string, baseUrl: string): InteractionTarget | undefined => {
  const text = typed.trim()
  if (text.length > MAX_LENGTH) return undefined
  const [, name = '', host = ''] = HANDLE.exec(text) ?? []
  if (host.toLowerCase() === new URL(baseUrl).host) return { kind: 'here', username: name, id: undefined }
  if (host) return { kind: 'elsewhere', name: `@${name}@${host}` }
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  const local = localAddress(text, baseUrl)
  if (local) return { kind: 'here', ...local }
  return url.host === new URL(baseUrl).host ? undefined : { kind: 'elsewhere', name: url.href }
}
