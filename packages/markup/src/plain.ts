const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

const LARGEST_CODE_POINT = 0x10ffff

const characterOf = (entity: string): string | undefined => {
  if (!entity.startsWith('#')) return NAMED.get(entity)
  const code = entity[1] === 'x' || entity[1] === 'X' ? Number.parseInt(entity.slice(2), 16) : Number.parseInt(entity.slice(1), 10)
  return code > 0 && code <= LARGEST_CODE_POINT ? String.fromCodePoint(code).toWellFormed() : undefined
}

/**
 * The plain text of HTML that this server rendered or sanitised: tags are dropped, paragraphs, items and breaks become line feeds, entities
 * are decoded. One pass, whatever the HTML.
 */
export const plainText = (html: string): string =>
  html
    .replace(/<br\b[^<>]*>|<\/(?:p|li|pre|blockquote)>(?=<[^/])/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#?[a-zA-Z0-9]{1,8});/g, (typed, entity: string) => characterOf(entity) ?? typed)
