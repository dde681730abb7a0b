import { StatusBody, type TranslateRequest, type Translation } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { notAllowed, notFound, orNotFound, unavailable } from '@rookery/failures'
import { isOpen } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readReaderLanguage } from './reader.store.ts'
import type { KeptTranslations } from './translations.ts'

type Deps = { database: Database<StatusesTables>; views: Views; translations: KeptTranslations | undefined }

/** The language for readers whose language is unknown. */
const USUAL = 'en'

/** The code, or its base language, that a language can be translated into. An unknown source may be any language. */
const targetOf = (languages: ReadonlyMap<string, readonly string[]>, source: string | undefined, wanted: string): string | undefined => {
  const targets = new Set(source === undefined ? [...languages.values()].flat() : (languages.get(source) ?? []))
  return [wanted, wanted.split('-')[0]!].find((code) => targets.has(code))
}

/**
 * Translates a status: content, warning, poll and descriptions (spec, POST translate; beyond-the-spec 1.1). Private statuses are not sent to the
 * provider.
 * @throws Failure not_found for a private or missing status; forbidden for languages the provider does not support; unavailable if the provider fails
 * or none is configured
 */
export const translateStatus =
  ({ database, views, translations }: Deps) =>
  async ({ statusId, viewerId, language }: TranslateRequest): Promise<Translation> => {
    const page = await views.byIds(viewerId, [statusId], 'direct')
    const item = orNotFound(page.items[0])
    const id = item.reblogOfId || item.id
    const view = orNotFound(page.statuses.find((each) => each.id === id))
    const body = StatusBody.decode(view.body)
    if (!isOpen(body.visibility)) throw notFound(`status ${id} is private`)
    if (!translations) throw unavailable('no translation provider is configured')
    const own = language || !viewerId ? undefined : (await readReaderLanguage(database, { viewerId }))[0]?.language
    const source = body.language?.toLowerCase().split('-')[0]
    const wanted = (language || own || USUAL).toLowerCase()
    const target = targetOf(await translations.languages(), source, wanted)
    if (!target) throw notAllowed(`no translation from ${source} into ${wanted}`)
    const poll = (item.reblogOverlay ?? item.overlay)?.poll
    return translations.translate({ id, body, source, options: poll?.options.map(({ title }) => title) }, view.version, target)
  }
