import type { Addresses } from '@rookery/entities'
import { type Html, html, type Language } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** In which language a page speaks, and for which server. */
export type Frame = { language: Language; texts: Texts; host: string; baseUrl: string }

/** What every part of a page needs: the frame, and the addresses of people and posts. */
export type PageContext = { frame: Frame; urls: Addresses }

/** A public page. */
export type Page = {
  status: number
  title: string
  /** The heading, where the body has one of its own. */
  heading?: string
  lead?: string
  body?: Html
  head?: Html
  /** Addresses of the pictures and recordings it shows. */
  files?: readonly string[]
  isIndexed?: boolean
  /** Where to go instead, with a status that says so. */
  location?: string
}

/** A number as people of the page's language write it. */
export const numberIn = ({ language }: Frame, count: number): string => new Intl.NumberFormat(language).format(count)

/** A day, UTC, as people of the page's language write it; the moment is in milliseconds since 1970. */
export const dayIn = ({ language }: Frame, milliseconds: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(milliseconds)

/** The moment, UTC, in the same way. */
export const momentIn = ({ language }: Frame, milliseconds: number): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(milliseconds)} UTC`

/** A page that says why there is no other, and leads on. */
export const faultPage = (status: number, { title, text }: { title: string; text: string }, { texts }: Frame): Page => ({
  status,
  title,
  lead: text,
  body: html`<p class="foot"><a href="/">${texts.home}</a></p>`,
})
