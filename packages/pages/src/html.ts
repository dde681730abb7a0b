/** HTML that is safe to insert into a page. */
export type Html = { readonly html: string }

type Part = Html | string | number | false | null | undefined | readonly Part[]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(render).join('')
}

/** Builds HTML: every value that is not itself Html is escaped; undefined, null and false render nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: String.raw({ raw: strings }, ...values.map(render)),
})

/** Renders attributes: true as a bare name; undefined, empty and false are left out. */
export const attributes = (values: Readonly<Record<string, string | number | boolean | undefined>>): Html => ({
  html: Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join(''),
})
