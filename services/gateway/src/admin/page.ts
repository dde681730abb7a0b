import type { Values } from '@rookery/http'
import type { Html } from '@rookery/pages'
import type { Access } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { FinalAct, SectionName, Texts } from './texts/index.ts'
import type { Answered, Visit } from './visit.ts'

/** The content of a page. */
export type View = {
  title: string
  /** The heading, if it has images that a title cannot have. */
  heading?: Html
  lead?: string | undefined
  body: Html
  /** URLs of the images it shows. */
  files?: readonly string[]
}

/** A form of a page: it calls an endpoint, and then shows a page with a confirmation. */
export type Form = {
  readonly endpoint: Endpoint
  /** The confirmation shown afterwards. */
  readonly done: keyof Texts['done']
  /** The page to go to afterwards; by default the same page. */
  readonly next?: (visit: Visit, answered: Answered) => string
  /** Maps the form's values to the endpoint's parameters. */
  readonly values?: (values: Values) => Values
  /** The field in which people type the identifier of the target. */
  readonly names?: string
  /** The fields of a parameter composed of several, by the API's name for it. */
  readonly fieldsOf?: (label: string, values: Values) => readonly string[] | undefined
  /** The act, if it cannot be undone: then a confirmation is required. */
  readonly final?: (values: Values) => FinalAct | undefined
  /** Whether it requires the password again. */
  readonly isDangerous?: (values: Values) => boolean
}

/** A page for signed-in people, as a value: the router, the navigation and the tests are derived from it. */
export type SignedInPage = {
  readonly path: string
  readonly section: string
  readonly access: Access
  /** The names of its forms' file fields, and the maximum bytes of a file. */
  readonly files?: { names: readonly string[]; bytes: number }
  readonly read: (visit: Visit) => Promise<View>
  /** By the form's name in requests. */
  readonly forms?: Readonly<Record<string, Form>>
}

/** A staff page, under /admin. */
export type AdminPage = SignedInPage & {
  readonly section: SectionName
  /** Its tab, if the section has several pages. */
  readonly tab?: keyof Texts['tabs']
  /** Whether it is the first page of its section, which the navigation links to. */
  readonly isFirst?: boolean
}

/** A file for staff to download, as a value. */
export type AdminFile = {
  readonly path: string
  /** The file name of the download. */
  readonly name: string
  readonly access: Access
  readonly write: (visit: Visit) => AsyncGenerator<string>
}

/** Pages under a common path, with their own navigation: those of staff, or the account's settings. */
export type Site = {
  readonly root: '/admin' | '/settings'
  readonly pages: readonly SignedInPage[]
  readonly files: readonly AdminFile[]
  /** The navigation above the page, and below its heading. */
  readonly navigation: (visit: Visit, page: SignedInPage) => { above: Html; below: Html | undefined }
}
