import type { en } from './en.ts'

/** What the pages of staff say. */
export type Texts = typeof en

/** An act that cannot be taken back. */
export type FinalAct = keyof Texts['final']

/** A section of the navigation. */
export type SectionName = keyof Texts['sections']
