/** How a response returns to an app: in the query or the fragment of its redirect URI, or by a form (beyond-the-spec 1.3). */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const

export type ResponseMode = (typeof RESPONSE_MODES)[number]
