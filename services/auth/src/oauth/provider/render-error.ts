import { chooseLanguage } from '@rookery/pages'
import type { Configuration } from 'oidc-provider'
import { type FaultName, faultPage, layout, textsOf } from '../../web/html/index.ts'

type RenderError = NonNullable<Configuration['renderError']>

/** Errors of the provider that a person may meet, by what our pages call them. */
const FAULTS: Record<string, FaultName> = {
  invalid_client: 'invalid_client',
  invalid_redirect_uri: 'invalid_redirect_uri',
  invalid_scope: 'invalid_scope',
  server_error: 'server_error',
}

/** Shows an error of the provider that cannot go to the app: as our page, or as JSON to a caller that asks for that. */
export const renderProviderError =
  (host: string): RenderError =>
  (ctx, out, error) => {
    // The provider's word for an interaction that is over, or another browser's.
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
