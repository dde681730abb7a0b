import type { en } from './en.ts'

/** The texts of the staff pages. */
export type Texts = typeof en

/** An act that cannot be undone. */
export type FinalAct = keyof Texts['final']

/** A section of the navigation. */
export type SectionName = keyof Texts['sections']
