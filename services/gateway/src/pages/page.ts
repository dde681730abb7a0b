import type { Addresses } from '@rookery/entities'
import { type Html, html, type Language } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** The language and texts of a page, and the server it is of. */
export type Frame = { language: Language; texts: Texts; host: string; baseUrl: string }

/** The context of every part of a page: the frame, and the URLs of people and posts. */
export type PageContext = { frame: Frame; urls: Addresses }

/** A public page. */
export type Page = {
  status: number
  title: string
  /** The heading, if the body has its own. */
  heading?: string
  lead?: string
  body?: Html
  head?: Html
  /** URLs of the images and recordings it shows. */
  files?: readonly string[]
  isIndexed?: boolean
  /** The target of a redirect, with such a status. */
  location?: string
}

/** Formats a number in the page's language. */
export const numberIn = ({ language }: Frame, count: number): string => new Intl.NumberFormat(language).format(count)

/** Formats a day, in UTC, in the page's language; the time is in milliseconds since 1970. */
export const dayIn = ({ language }: Frame, milliseconds: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(milliseconds)

/** Formats a time, in UTC, in the same way. */
export const momentIn = ({ language }: Frame, milliseconds: number): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(milliseconds)} UTC`

/** An error page with a link home. */
export const faultPage = (status: number, { title, text }: { title: string; text: string }, { texts }: Frame): Page => ({
  status,
  title,
  lead: text,
  body: html`<p class="foot"><a href="/">${texts.home}</a></p>`,
})
