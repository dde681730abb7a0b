import { chooseLanguage } from '@rookery/pages'
import type { Configuration } from 'oidc-provider'
import { type FaultName, faultPage, layout, textsOf } from '../../web/html/index.ts'

type RenderError = NonNullable<Configuration['renderError']>

/** The page for each error of oidc-provider that a person may see. */
const FAULTS: Record<string, FaultName> = {
  invalid_client: 'invalid_client',
  invalid_redirect_uri: 'invalid_redirect_uri',
  invalid_scope: 'invalid_scope',
  server_error: 'server_error',
}

/** Renders an error of oidc-provider that cannot be sent to the app: as a page, or as JSON if the caller prefers that. */
export const renderProviderError =
  (host: string): RenderError =>
  (ctx, out, error) => {
    // The library's error for an interaction that has ended or belongs to another browser.
    const isExpired = error.name === 'SessionNotFound'
    const name = isExpired ? 'expired' : (FAULTS[out.error] ?? 'invalid_request')
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.type = 'json'
      ctx.body = { error: out.error, error_description: out.error_description }
      return
    }
    const language = chooseLanguage(ctx.query['lang'], ctx.get('accept-language'))
    const frame = { texts: textsOf(language), host }
    ctx.type = 'html'
    ctx.body = layout(frame, faultPage(frame, { name, code: out.error }))
  }
