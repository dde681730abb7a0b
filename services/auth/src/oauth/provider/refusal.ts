import { PageFault } from '../../web/http/index.ts'
import { descriptionOf } from '../grants/index.ts'

type PageCode = 'invalid_request' | 'invalid_client' | 'invalid_scope' | 'invalid_grant' | 'access_denied'

/** An error page, with status 400, for an OAuth error that must not or cannot be sent to the app. */
export const refusal = (code: PageCode | 'unsupported_response_type'): PageFault =>
  new PageFault(code === 'unsupported_response_type' ? 'invalid_request' : code, 400, { oauth: { code, description: descriptionOf(code) } })
