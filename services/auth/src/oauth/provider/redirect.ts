import { chooseLanguage, pagePolicy } from '@rookery/pages'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { layout, POST_FORM, postFormPage, textsOf } from '../../web/html/index.ts'
import { OUT_OF_BAND } from '../apps/index.ts'
import { RESPONSE_MODES, type ResponseMode } from '../grants/index.ts'

/** The parameters returned to an app. oidc-provider adds `iss`, which Mastodon's clients do not expect. */
const PASSED_ON = ['code', 'error', 'error_description', 'state'] as const

const ownName = (mode: ResponseMode) => `rookery.${mode}`

/**
 * The name of a response mode in oidc-provider, from the app's name or already converted; the query for an unknown mode. The modes are
 * custom ones, because those of the library add `iss` and rewrite redirect URIs.
 */
export const providerMode = (asked: string | undefined): string =>
  ownName(RESPONSE_MODES.find((mode) => asked === mode || asked === ownName(mode)) ?? 'query')

type Answer = Readonly<Record<string, string>>
type AnswerApp = (ctx: KoaContextWithOIDC, redirectUri: string, answer: Answer) => void

const passedOn = (answer: Answer) =>
  PASSED_ON.flatMap((name): [string, string][] => (answer[name] === undefined ? [] : [[name, answer[name]]]))

/** Byte for byte as registered: URL would lower-case the scheme and rewrite the query. */
const asRegistered = (uri: string) => uri.replace(/[^\x21-\x7e]/gu, encodeURIComponent)

const redirect = (ctx: KoaContextWithOIDC, location: string) => {
  ctx.status = 303
  ctx.set('location', location)
  ctx.body = ''
}

const inQuery: AnswerApp = (ctx, uri, answer) => {
  const registered = asRegistered(uri)
  redirect(ctx, `${registered}${registered.includes('?') ? '&' : '?'}${new URLSearchParams(passedOn(answer))}`)
}

const inFragment: AnswerApp = (ctx, uri, answer) => {
  redirect(ctx, `${asRegistered(uri)}#${new URLSearchParams(passedOn(answer))}`)
}

/** A page with a form that a script submits at once, or a person without scripts. */
const asForm =
  (host: string): AnswerApp =>
  (ctx, uri, answer) => {
    const frame = { texts: textsOf(chooseLanguage(ctx.query['lang'], ctx.get('accept-language'))), host }
    ctx.status = 200
    ctx.type = 'html'
    // Websites redirect from their redirect URI to other hosts, as after the approval page.
    ctx.set('Content-Security-Policy', pagePolicy({ ...POST_FORM, formTargets: [new URL(uri).protocol] }))
    ctx.body = layout(frame, postFormPage(frame, asRegistered(uri), passedOn(answer)))
  }

const showOutOfBand = (answer: Answer) => {
  const { code, error = 'server_error' } = answer
  return code ? `/oauth/authorize/native?${new URLSearchParams({ code })}` : `/oauth/authorize/native?${new URLSearchParams({ error })}`
}

/**
 * The response modes, each of which sends the browser back to the app; out-of-band, all lead to the page that shows the code
 * (beyond-the-spec 1.3).
 */
export const answersTo = (host: string): ReadonlyMap<ResponseMode, AnswerApp> => {
  const orOutOfBand =
    (answerApp: AnswerApp): AnswerApp =>
    (ctx, uri, answer) =>
      uri === OUT_OF_BAND ? redirect(ctx, showOutOfBand(answer)) : answerApp(ctx, uri, answer)
  return new Map([
    ['query', orOutOfBand(inQuery)],
    ['fragment', orOutOfBand(inFragment)],
    ['form_post', orOutOfBand(asForm(host))],
  ])
}
