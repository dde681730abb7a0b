import type { Values } from '@rookery/http'
import type { Html } from '@rookery/pages'
import type { Access } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FinalAct, SectionName, Texts } from './texts/index.ts'
import type { Answered, Visit } from './visit.ts'

/** What a page shows. */
export type View = {
  title: string
  /** The heading, where it has pictures that a title cannot. */
  heading?: Html
  lead?: string | undefined
  body: Html
  /** Addresses of the pictures it shows. */
  files?: readonly string[]
}

/** What a form of a page does: it calls an endpoint, and then shows a page that says so. */
export type Form = {
  readonly endpoint: Endpoint
  /** What is said once it is done. */
  readonly done: keyof Texts['done']
  /** Where it leads; without it back to the page. */
  readonly next?: (visit: Visit, answered: Answered) => string
  /** What it asks for besides what was filled in. */
  readonly values?: (values: Values) => Values
  /** The field that names what it acts on, where people type that. */
  readonly names?: string
  /** Fields of a parameter that several of them make, by what the API calls it. */
  readonly fieldsOf?: (label: string, values: Values) => readonly string[] | undefined
  /** What it does, where that cannot be taken back: it is asked about before it is done. */
  readonly final?: (values: Values) => FinalAct | undefined
  /** Whether it needs the password once more. */
  readonly isDangerous?: (values: Values) => boolean
}

/** A page that a person who is signed in gets, as a value: the router, the navigation and the tests are made from it. */
export type SignedInPage = {
  readonly path: string
  readonly section: string
  readonly access: Access
  /** Names of files its forms take, and their bytes at most. */
  readonly files?: { names: readonly string[]; bytes: number }
  readonly read: (visit: Visit) => Promise<View>
  /** By the name that the form carries. */
  readonly forms?: Readonly<Record<string, Form>>
}

/** A page of staff, under /admin. */
export type AdminPage = SignedInPage & {
  readonly section: SectionName
  /** Its name among the pages of its section, where there are several. */
  readonly tab?: keyof Texts['tabs']
  /** The first page of its section, which the navigation names. */
  readonly isFirst?: boolean
}

/** A file that staff save, as a value. */
export type AdminFile = {
  readonly path: string
  /** What it is saved as. */
  readonly name: string
  readonly access: Access
  readonly write: (visit: Visit) => AsyncGenerator<string>
}

/** Pages under one address, with a navigation of their own: those of staff, or the settings of one's account. */
export type Site = {
  readonly root: '/admin' | '/settings'
  readonly pages: readonly SignedInPage[]
  readonly files: readonly AdminFile[]
  /** What stands above the page, and below its heading. */
  readonly navigation: (visit: Visit, page: SignedInPage) => { above: Html; below: Html | undefined }
}
