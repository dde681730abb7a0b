const ATTRIBUTE = /([a-z-]{1,20})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"';,]+))/gi

/**
 * Parses the attributes of an element or the parameters of a header, by name in lower case; values are not decoded. The first of a repeated name wins
 * (HTML, 13.2.5.33; RFC 8288, 3).
 */
export const attributesIn = (text: string): { readonly [name: string]: string | undefined } => {
  const found = Array.from(
    text.matchAll(ATTRIBUTE),
    ([, name = '', ...values]) => [name.toLowerCase(), values.find(Boolean) ?? ''] as const,
  )
  return Object.fromEntries(found.toReversed())
}
