import type { StatusBody, Translation } from '@rookery/contracts/statuses'
import { escapeHtml, plainText, sanitiseStatus } from '@rookery/markup'
import type { Translated } from './translator.ts'

/** The parts of a status to be translated. */
export type Original = { id: string; body: StatusBody; source: string | undefined; options: readonly string[] | undefined }

/** The texts of a status as HTML, in the order `translationOf` expects; emoji shortcodes are marked as untranslatable. */
export const textsOf = ({ body, options }: Original): string[] => {
  const names = new Set(body.emojis.map(({ shortcode }) => shortcode))
  const marked = (html: string) =>
    html.replace(/:(\w+):/g, (typed, name: string) => (names.has(name) ? `<span translate="no">${typed}</span>` : typed))
  const plain = [body.spoilerText, ...(options ?? []), ...body.attachments.map(({ description }) => description)]
  return [marked(body.content), ...plain.map((text) => marked(escapeHtml(text)))]
}

const unmarked = (html: string) => html.replace(/<span translate="no">(:\w+:)<\/span>/g, '$1')

/** The provider's response as a Translation: only the content is HTML, sanitised as for posts. */
export const translationOf = (
  { id, body, source, options }: Original,
  translated: Translated,
  { provider, language }: { provider: string; language: string },
): Translation => {
  const [content = '', ...rest] = translated.texts.map(unmarked)
  const [spoilerText = '', ...titles] = rest.map(plainText)
  const descriptions = titles.splice(options?.length ?? 0)
  return {
    content: sanitiseStatus(content),
    spoilerText,
    language,
    detectedSourceLanguage: translated.detectedSource ?? source ?? '',
    provider,
    poll: options ? { id, titles } : undefined,
    descriptions: body.attachments.map((attachment, index) => ({ mediaId: attachment.id, description: descriptions[index] ?? '' })),
  }
}
