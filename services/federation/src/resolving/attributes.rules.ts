const ATTRIBUTE = /([a-z-]{1,20})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"';,]+))/gi

/**
 * The attributes of an element, or the parameters of a header, by their names in lower case, as they are written. Of one that is there twice the first
 * counts (HTML, 13.2.5.33; RFC 8288, 3).
 */
export const attributesIn = (text: string): { readonly [name: string]: string | undefined } => {
  const found = Array.from(
    text.matchAll(ATTRIBUTE),
    ([, name = '', ...values]) => [name.toLowerCase(), values.find(Boolean) ?? ''] as const,
  )
  return Object.fromEntries(found.toReversed())
}
