import type { en } from './en.ts'

/** What the pages of staff say. */
export type Texts = typeof en

/** A section of the navigation. */
export type SectionName = keyof Texts['sections']
