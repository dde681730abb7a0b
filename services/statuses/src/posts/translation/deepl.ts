import { callProvider, checked, listOf, textOf } from './call-provider.ts'
import type { Translator, TranslatorAccess } from './translator.ts'

const FREE = 'https://api-free.deepl.com'
const PRO = 'https://api.deepl.com'
/** The suffix of free keys. */
const FREE_KEY = ':fx'
const QUOTA_STATUSES = [456]

const codeOf = (record: unknown) => textOf(record, 'language')?.toLowerCase()

/** The default address of DeepL for a key. */
export const deeplAddress = (key: string): string => (key.endsWith(FREE_KEY) ? FREE : PRO)

/** The DeepL API v2. */
export const deepl = ({ address, key = '' }: TranslatorAccess): Translator => {
  const headers = { authorization: `DeepL-Auth-Key ${key}`, 'content-type': 'application/json' }
  const codes = async (type: 'source' | 'target') =>
    checked(listOf(await callProvider(`${address}/v2/languages?type=${type}`, { headers }, QUOTA_STATUSES), codeOf))
  return {
    provider: 'DeepL.com',
    async languages() {
      const [sources, targets] = await Promise.all([codes('source'), codes('target')])
      // A target with regional variants only, as pt-br and pt-pt, is a target by itself too: DeepL chooses the variant.
      const all = [...new Set(targets.flatMap((target) => [target, target.split('-')[0]!]))]
      return new Map(sources.map((source) => [source, all.filter((target) => target.split('-')[0] !== source)]))
    },
    async translate(html, { source, target }) {
      const asked = {
        text: html,
        target_lang: target.toUpperCase(),
        tag_handling: 'html',
        ...(source ? { source_lang: source.toUpperCase() } : {}),
      }
      const answer = await callProvider(`${address}/v2/translate`, { method: 'POST', headers, body: JSON.stringify(asked) }, QUOTA_STATUSES)
      const { translations } = (answer ?? {}) as { translations?: unknown }
      const texts = checked(listOf(translations, (each) => textOf(each, 'text')))
      return { texts, detectedSource: textOf((translations as unknown[])[0], 'detected_source_language')?.toLowerCase() }
    },
  }
}
