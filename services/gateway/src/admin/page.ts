import type { Values } from '@rookery/http'
import type { Html } from '@rookery/pages'
import type { Access } from '../http/access.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { SectionName, Texts } from './texts/index.ts'
import type { Answered, Visit } from './visit.ts'

/** What a page shows. */
export type View = {
  title: string
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
  /** Whether it needs the password once more. */
  readonly isDangerous?: (values: Values) => boolean
}

/** A page of staff, as a value: the router, the navigation and the tests are made from it. */
export type AdminPage = {
  /** Under /admin. */
  readonly path: string
  readonly section: SectionName
  /** Its name among the pages of its section, where there are several. */
  readonly tab?: keyof Texts['tabs']
  /** The first page of its section, which the navigation names. */
  readonly isFirst?: boolean
  readonly access: Access
  /** Names of files its forms take, and their bytes at most. */
  readonly files?: { names: readonly string[]; bytes: number }
  readonly read: (visit: Visit) => Promise<View>
  /** By the name that the form carries. */
  readonly forms?: Readonly<Record<string, Form>>
}

/** A file that staff save, as a value. */
export type AdminFile = {
  readonly path: string
  /** What it is saved as. */
  readonly name: string
  readonly access: Access
  readonly write: (visit: Visit) => AsyncGenerator<string>
}
