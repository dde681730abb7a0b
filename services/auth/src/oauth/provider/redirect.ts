import type { KoaContextWithOIDC } from 'oidc-provider'
import { OUT_OF_BAND } from '../apps/index.ts'

/** How an answer returns to an app: to the redirect URI as it was registered, or on a page that shows the code. */
export const RESPONSE_MODE = 'rookery'

/** What goes back to an app. The provider adds `iss`, which Mastodon's clients do not expect. */
const PASSED_ON = ['code', 'error', 'error_description', 'state'] as const

type Answer = Readonly<Record<string, string>>

const withParameters = (uri: string, answer: Answer) => {
  const parameters = new URLSearchParams(PASSED_ON.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]])))
  // Byte for byte as it was registered: URL would lower the scheme's letters and rewrite the query.
  const registered = uri.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  return `${registered}${registered.includes('?') ? '&' : '?'}${parameters}`
}

const showOutOfBand = (answer: Answer) => {
  const { code, error = 'server_error' } = answer
  return code ? `/oauth/authorize/native?${new URLSearchParams({ code })}` : `/oauth/authorize/native?${new URLSearchParams({ error })}`
}

/** Sends the browser back to the app, or to the page that shows the code (beyond-the-spec 1.3). */
export const answerApp = (ctx: KoaContextWithOIDC, redirectUri: string, payload: Record<string, unknown>): void => {
  const answer = payload as Answer
  ctx.status = 303
  ctx.set('location', redirectUri === OUT_OF_BAND ? showOutOfBand(answer) : withParameters(redirectUri, answer))
  ctx.body = ''
}
