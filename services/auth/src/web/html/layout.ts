import { type Html, renderDocument } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** What every page needs: in which language it speaks and for which server; and whether the person has a second factor. */
export type Frame = { texts: Texts; host: string; hasSecondFactor?: boolean }

/** A page, without what all pages share. */
export type Page = { title: string; lead?: string; body?: Html }

/** A whole document, which no search engine shows. */
export const layout = ({ texts, host }: Frame, page: Page): string => renderDocument({ language: texts.language, host, ...page })
