import { createHash } from 'node:crypto'
import type { Person, World } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'

// What is known in a walk of files: who has which, what shows them, and when they go.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
export type Json = any

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** An uploaded file that is not deleted. */
export type KeptFile = {
  ownerId: string
  /** The MediaAttachment, as its owner and all that show it have it. */
  entity: Json
  /** The status or scheduled status that has it. */
  holderId?: string | undefined
  /** When it is deleted unless it is posted. */
  goesAt?: number | undefined
}

/** The files of a revision, as they were described then. */
type Revision = Json[]

export type Post = { id: string; author: Person; fileIds: string[]; revisions: Revision[]; createdAt: number }

/** A scheduled status; a draft has no time. */
export type Waiting = { id: string; author: Person; text: string; fileIds: string[]; at: number | undefined }

/** The digest and the size of a served file; undefined if there is none. */
export type Served = { digest: string; size: number }

export const fetchFile = async (world: World, url: string): Promise<Served | undefined> => {
  const response = await fetch(new URL(new URL(url).pathname, world.origin))
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status === 404) return undefined
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  return { digest: createHash('sha256').update(bytes).digest('base64url'), size: bytes.length }
}

/** The URLs of the files of an attachment. */
export const urlsOf = ({ url, preview_url }: Json): string[] => [...new Set<string>([url, preview_url])]

export class Facts {
  readonly world: World
  readonly random: Random
  readonly people: Person[] = []
  readonly suspended = new Set<string>()
  readonly files = new Map<string, KeptFile>()
  readonly posts = new Map<string, Post>()
  readonly waiting = new Map<string, Waiting>()
  /** When the old posts of those who want that are deleted next, by account. */
  readonly deletions = new Map<string, number>()
  /** The URLs of the pictures of profiles, by account. */
  readonly profiles = new Map<string, Record<'avatar' | 'header', string | undefined>>()
  /** The URLs of the pictures of emojis, of former ones too. */
  readonly emojis = new Set<string>()
  /** What each URL serves. */
  readonly served = new Map<string, Served>()
  /** URLs of deleted files. */
  readonly goneUrls = new Set<string>()
  readonly goneFiles: { id: string; owner: Person }[] = []
  readonly faults: string[] = []
  readonly log: string[] = []
  #texts = 0

  constructor(world: World, random: Random) {
    this.world = world
    this.random = random
  }

  now(): number {
    return this.world.clock.now()
  }

  /** A text that no other status has. */
  text(): string {
    return `text ${++this.#texts}`
  }

  /** Those who may act. */
  actors(): Person[] {
    return this.people.filter(({ id }) => !this.suspended.has(id))
  }

  entitiesOf(fileIds: readonly string[]): Json[] {
    return fileIds.map((id) => this.files.get(id)!.entity)
  }

  /** The files that someone may post now. */
  freeOf({ id }: { id: string }): string[] {
    return [...this.files].filter(([, file]) => file.ownerId === id && file.holderId === undefined).map(([fileId]) => fileId)
  }

  heldBy(holderId: string): string[] {
    return [...this.files].filter(([, file]) => file.holderId === holderId).map(([id]) => id)
  }

  isFree = (id: string, owner: { id: string }): boolean => {
    const file = this.files.get(id)
    return file?.ownerId === owner.id && file.holderId === undefined
  }

  /** Notes what a URL serves. */
  async serve(url: string): Promise<void> {
    const served = await fetchFile(this.world, url)
    if (served) this.served.set(url, served)
    else this.faults.push(`${url} is missing`)
  }

  hold(fileIds: readonly string[], holderId: string): void {
    for (const id of fileIds) Object.assign(this.files.get(id)!, { holderId, goesAt: undefined })
  }

  free(fileIds: readonly string[]): void {
    for (const id of fileIds) Object.assign(this.files.get(id)!, { holderId: undefined, goesAt: this.now() + DAY })
  }

  /** A URL whose file is deleted. */
  forget(url: string): void {
    this.served.delete(url)
    this.goneUrls.add(url)
  }

  remove(fileIds: readonly string[]): void {
    for (const id of fileIds) {
      const { entity, ownerId } = this.files.get(id)!
      for (const url of urlsOf(entity)) this.forget(url)
      this.files.delete(id)
      const owner = this.people.find((person) => person.id === ownerId)
      if (owner) this.goneFiles.push({ id, owner })
    }
  }

  /** A deleted status; its files are free for a day, or go with it. */
  end(id: string, { withFiles }: { withFiles: boolean }): void {
    this.posts.delete(id)
    this.waiting.delete(id)
    const fileIds = this.heldBy(id)
    withFiles ? this.remove(fileIds) : this.free(fileIds)
  }

  /** A scheduled status that was published. */
  publish({ id, author, fileIds }: Waiting, post: Json): void {
    this.waiting.delete(id)
    this.posts.set(post.id, { id: post.id, author, fileIds, revisions: [], createdAt: Date.parse(post.created_at) })
    this.hold(this.heldBy(id), post.id)
  }

  /** Deletes what has had its time. */
  expire(): void {
    this.remove([...this.files].filter(([, { goesAt }]) => goesAt !== undefined && goesAt <= this.now()).map(([id]) => id))
  }
}
