import type { Violation } from '@rookery/failures'
import type { Texts } from './texts/index.ts'

/** What is wrong with a field, in the words of the pages. */
export const violationSentence = ({ violations }: Texts, { field, code, description }: Violation): string =>
  violations[field]?.[code] ?? violations.any[code] ?? description
