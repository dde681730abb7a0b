import { FileOperatorDefinition } from '@rookery/contracts/media'
import type { World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { runJob } from '@rookery/test-world/queries'
import { type Facts, fetchFile, type Json, type Post } from './facts.ts'

// Compares what the server says and stores with what is known.

export type Compare = (what: string, is: unknown, wanted: unknown) => void

/** What a revision says of a file: its description as it was then, and its preview as it is now. */
const asThen = (then: Json, { preview_url, blurhash, meta }: Json): Json => ({
  ...then,
  preview_url,
  blurhash,
  meta: { ...then.meta, ...(meta.small && { small: meta.small }) },
})

const comparePost = async (facts: Facts, compare: Compare, { id, author, fileIds, revisions }: Post) => {
  const said = await author.get(`/api/v1/statuses/${id}`)
  compare(`files of status ${id}`, said.body.media_attachments, facts.entitiesOf(fileIds))
  const history = (await author.get(`/api/v1/statuses/${id}/history`)).body
  const wanted = revisions.length === 0 ? [facts.entitiesOf(fileIds)] : revisions
  compare(
    `files in the history of status ${id}`,
    history.map(({ media_attachments }: Json) => media_attachments),
    wanted.map((files) => files.map((then: Json) => asThen(then, facts.files.get(then.id)!.entity))),
  )
}

const compareStatuses = async (facts: Facts, compare: Compare) => {
  for (const post of facts.posts.values()) if (!facts.suspended.has(post.author.id)) await comparePost(facts, compare, post)
  for (const { id, author, fileIds, at } of facts.waiting.values()) {
    if (facts.suspended.has(author.id)) continue
    const { body } = await author.get(`/api/v1/scheduled_statuses/${id}`)
    compare(`files of scheduled status ${id}`, body.media_attachments, facts.entitiesOf(fileIds))
    compare(`ids of files of scheduled status ${id}`, body.params?.media_ids ?? [], fileIds)
    if (at !== undefined) compare(`time of scheduled status ${id}`, Date.parse(body.scheduled_at), at)
  }
}

const compareFiles = async (facts: Facts, compare: Compare) => {
  const { world, random, people, suspended } = facts
  for (const [id, { ownerId, entity }] of facts.files) {
    if (suspended.has(ownerId)) continue
    const [owner, other] = [people.find((person) => person.id === ownerId)!, random.of(facts.actors())]
    compare(`file ${id} of ${owner.username}`, (await owner.get(`/api/v1/media/${id}`)).body, entity)
    if (other !== owner) compare(`file ${id} for others`, (await other.get(`/api/v1/media/${id}`)).status, 404)
  }
  const withheld = new Set([...withheldUrls(facts)])
  for (const [url, served] of facts.served) compare(url, await fetchFile(world, url), withheld.has(url) ? undefined : served)
  for (const { id, owner } of facts.goneFiles.slice(-20))
    if (!suspended.has(owner.id) && people.includes(owner))
      compare(`deleted file ${id}`, (await owner.get(`/api/v1/media/${id}`)).status, 404)
  for (const url of [...facts.goneUrls].slice(-40)) compare(url, await fetchFile(world, url), undefined)
}

/** The URLs of suspended people's files. */
function* withheldUrls({ files, profiles, suspended }: Facts) {
  for (const { ownerId, entity } of files.values()) if (suspended.has(ownerId)) yield* [entity.url, entity.preview_url]
  for (const [ownerId, pictures] of profiles) if (suspended.has(ownerId)) yield* Object.values(pictures)
}

const compareProfiles = async (facts: Facts, compare: Compare) => {
  for (const person of facts.actors()) {
    const { body } = await person.get('/api/v1/accounts/verify_credentials')
    const { avatar, header } = facts.profiles.get(person.id)!
    const missing = (kind: string) => new RegExp(`/${kind}/original/missing.png$`)
    const urlOr = (url: string, kind: string) => (missing(kind).test(url) ? undefined : url)
    compare(`pictures of ${person.username}`, [urlOr(body.avatar, 'avatars'), urlOr(body.header, 'headers')], [avatar, header])
  }
}

/** The names of all stored files, and what the server says their sizes are in all. */
const stored = async (world: World) => {
  await runJob(world, 'sum-kept-bytes', 'media')
  const operator = operatorClient(world, FileOperatorDefinition)
  const { compared, unknownKeys, missing } = await operator.compare(innerCall(), { afterKey: '', remove: false })
  const rows = await world.query(`
    select key from (select unnest(array[original_key, preview_key, source_key]) key from media.attachment) named where key is not null`)
  return {
    compared,
    unknownKeys,
    missing,
    keys: rows.map(({ key }) => key),
    bytes: (await operator.readUsage(innerCall(), {})).uploadedBytes,
  }
}

const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

const compareStore = async (facts: Facts, compare: Compare) => {
  const { compared, unknownKeys, missing, keys, bytes } = await stored(facts.world)
  compare('stored files', keys.toSorted(), [...facts.served.keys()].map(nameOf).toSorted())
  compare('files without a record and records without a file', [unknownKeys, missing], [[], []])
  compare('files and records', compared, 2 * keys.length)
  compare(
    'bytes of all files',
    bytes,
    [...facts.served.values()].reduce((sum, { size }) => sum + size, 0),
  )
}

/** Compares all that is said of files, all files, and the store. */
export const compareAll = async (facts: Facts): Promise<number> => {
  let values = 0
  const compare: Compare = (what, is, wanted) => {
    values++
    const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
    if (one !== other) facts.faults.push(`${what} is ${one}, not ${other}`)
  }
  for (const part of [compareStatuses, compareFiles, compareProfiles, compareStore]) await part(facts, compare)
  return values
}
