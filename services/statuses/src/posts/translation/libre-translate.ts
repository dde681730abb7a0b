import { callProvider, checked, listOf, textOf } from './call-provider.ts'
import type { Translator, TranslatorAccess } from './translator.ts'

const QUOTA_STATUSES = [403]
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Parses a language and its targets; undefined if invalid. */
const pairsOf = (record: unknown): [string, string[]] | undefined => {
  const code = textOf(record, 'code')
  const targets = listOf((record as { targets?: unknown } | null)?.targets, text)
  return code === undefined || targets === undefined ? undefined : [code.toLowerCase(), targets.map((each) => each.toLowerCase())]
}

/** A LibreTranslate server. */
export const libreTranslate = ({ address, key }: TranslatorAccess): Translator => ({
  provider: 'LibreTranslate',
  async languages() {
    const pairs = checked(listOf(await callProvider(`${address}/languages`, {}, QUOTA_STATUSES), pairsOf))
    return new Map(pairs.map(([source, targets]) => [source, targets.filter((target) => target !== source)]))
  },
  async translate(html, { source, target }) {
    const asked = { q: html, source: source ?? 'auto', target, format: 'html', ...(key ? { api_key: key } : {}) }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) }
    const answer = (await callProvider(`${address}/translate`, init, QUOTA_STATUSES)) as Record<string, unknown> | null
    const texts = checked(listOf(answer?.['translatedText'], text))
    // A list with one for each text, or a single one, depending on the version.
    const detected = answer?.['detectedLanguage']
    return { texts, detectedSource: textOf(Array.isArray(detected) ? detected[0] : detected, 'language')?.toLowerCase() ?? source }
  },
})
