import { PageFault } from '../../web/http/index.ts'
import { descriptionOf } from '../grants/index.ts'

/** A page, with status 400, for an OAuth error that must not or cannot be sent to the app. */
export const refusal = (code: 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'invalid_grant' | 'access_denied'): PageFault =>
  new PageFault(code, 400, { oauth: { code, description: descriptionOf(code) } })
