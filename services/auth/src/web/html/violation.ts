import type { Violation } from '@rookery/failures'
import type { Texts } from './texts/index.ts'

/** The message of a violation, in the language of the page. */
export const violationSentence = ({ violations }: Texts, { field, code, description }: Violation): string =>
  violations[field]?.[code] ?? violations.any[code] ?? description
