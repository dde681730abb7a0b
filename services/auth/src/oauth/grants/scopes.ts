import { ALL_SCOPES, covers, expandScopes, parseScopes } from '@rookery/contracts/scopes'

/** The default scope (spec, Authentication 6). */
const USUAL = 'read'

/** The requested scopes, separated by spaces or plus signs. */
export const requestedScopes = (text: string | undefined): string[] => {
  const scopes = parseScopes(text ?? '')
  return scopes.length > 0 ? scopes : [USUAL]
}

/** Whether all scopes exist and are covered by the granted ones; a scope such as read covers its parts. */
export const areWithin = (wanted: readonly string[], granted: readonly string[]): boolean =>
  wanted.every((scope) => ALL_SCOPES.has(scope) && covers(granted, scope))

/** All scopes that an app may request. */
export const allowedScopes = (registered: readonly string[]): string[] => [...expandScopes(registered)]
