import type { Texts } from './texts/index.ts'

const PARTS = /^(admin:read|admin:write|read|write):(.+)$/

/** Describes scopes, one sentence each; granular scopes of one kind share a sentence. */
export const scopeSentences = ({ scopes: texts }: Texts, scopes: readonly string[]): string[] => {
  const whole = scopes.flatMap((scope) => texts.whole[scope] ?? [])
  const thingsOf = (kind: string) =>
    scopes
      .filter((scope) => PARTS.exec(scope)?.[1] === kind && !scopes.includes(kind))
      .map((scope) => texts.things[PARTS.exec(scope)?.[2] ?? ''] ?? scope)
  const sentence = (kind: string, say: (things: string) => string) => {
    const things = thingsOf(kind)
    return things.length > 0 ? [say(things.join(', '))] : []
  }
  return [
    ...whole,
    ...sentence('read', texts.read),
    ...sentence('write', texts.write),
    ...sentence('admin:read', texts.adminRead),
    ...sentence('admin:write', texts.adminWrite),
  ]
}
