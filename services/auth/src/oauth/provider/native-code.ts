import type { RequestHandler } from 'express'
import type { Provider } from 'oidc-provider'
import { showCodePage } from '../../web/html/index.ts'
import { frameOf, queryOf, sendPage, textOf } from '../../web/http/index.ts'
import { refusal } from './refusal.ts'

/** GET /oauth/authorize/native: shows a code for copying. A code that is not good is not shown (spec, OAuth: 400 invalid_grant). */
export const nativeCodeEndpoint =
  (given: { provider: () => Promise<Provider>; host: string }): RequestHandler =>
  async (request, response) => {
    const parameters = queryOf(request)
    if (textOf(parameters, 'error') === 'access_denied') {
      throw refusal('access_denied')
    }
    const code = textOf(parameters, 'code')
    const provider = await given.provider()
    const known = code ? await provider.AuthorizationCode.find(code) : undefined
    if (!code || !known?.isValid) throw refusal('invalid_grant')
    const frame = frameOf(request, given.host)
    sendPage(response, frame, showCodePage(frame, code))
  }
