import { ALL_SCOPES, covers, expandScopes, parseScopes } from '@rookery/contracts/scopes'

/** What is asked for when nothing is (spec, Authentication 6). */
const USUAL = 'read'

/** The scopes of a request, separated by spaces or plus signs. */
export const requestedScopes = (text: string | undefined): string[] => {
  const scopes = parseScopes(text ?? '')
  return scopes.length > 0 ? scopes : [USUAL]
}

/** Whether every scope exists and is within those granted or registered, umbrellas counting for what they stand for. */
export const areWithin = (wanted: readonly string[], granted: readonly string[]): boolean =>
  wanted.every((scope) => ALL_SCOPES.has(scope) && covers(granted, scope))

/** Everything an app may ever ask for. */
export const allowedScopes = (registered: readonly string[]): string[] => [...expandScopes(registered)]
