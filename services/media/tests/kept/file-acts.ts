import type { Answer, Person } from '@rookery/test-world'
import { importsEmoji } from '@rookery/test-world/announcing'
import { DAY, type Facts, type Json, urlsOf } from './facts.ts'

// What people do with their files: they send and describe them, delete them, and show them on their profiles.

export type Picture = { bytes: Buffer; type: string }

/** Something that is done, or nothing where there is nothing to do it with. */
export type Act = () => Promise<void>

/** Notes an act with its answer; returns whether it was done. */
export const noting = (facts: Facts, what: string, { status, text }: Answer, wanted: number): boolean => {
  facts.log.push(`${status} ${what}`)
  if (status !== wanted) facts.faults.push(`${what} is answered ${status} ${text}, not ${wanted}`)
  return status === 200
}

const fileOf = ({ bytes, type }: Picture) => new File([new Uint8Array(bytes)], 'picture', { type })

const formOf = (parts: Record<string, string | Picture | undefined>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : fileOf(value))
  }
  return form
}

export const fileActs = (facts: Facts, pictures: readonly Picture[]) => {
  const { random } = facts
  const maybe = <Value>(value: Value, share = 0.4): Value | undefined => (random.chance(share) ? value : undefined)
  const focus = () => `${random.of([-1, 0, 0.5])},${random.of([0, 0.25, 1])}`
  const details = () => ({
    description: maybe(random.of(['a dot', 'a cat', 'tea & cake', 'ein Bär'])),
    focus: maybe(focus()),
    thumbnail: maybe(random.of(pictures), 0.2),
  })

  const upload: Act = async () => {
    const [by, version] = [random.of(facts.actors()), random.of(['v1', 'v2'])]
    const sent = { file: random.of(pictures), ...details() }
    const answer = await by.asks('POST', `/api/${version}/media`, { body: formOf(sent) })
    if (!noting(facts, `${by.username} uploads ${answer.body.id}`, answer, 200)) return
    const entity = answer.body
    facts.files.set(entity.id, { ownerId: by.id, entity, goesAt: facts.now() + DAY })
    if (entity.description !== (sent.description ?? null) || !entity.blurhash) facts.faults.push(`${JSON.stringify(entity)} is not as sent`)
    for (const url of urlsOf(entity)) await facts.serve(url)
  }

  const describe = async (id: string, by: Person): Promise<Answer> =>
    by.asks('PUT', `/api/v1/media/${id}`, { body: formOf({ ...details(), description: `so ${facts.text()}` }) })

  /** Notes what a file is described as now. */
  const described = async (entity: Json) => {
    const file = facts.files.get(entity.id)!
    const before = urlsOf(file.entity)
    file.entity = entity
    const now = urlsOf(entity)
    for (const url of before.filter((each) => !now.includes(each))) facts.forget(url)
    for (const url of now.filter((each) => !before.includes(each))) await facts.serve(url)
  }

  const ownFile = (): { id: string; by: Person } | undefined => {
    const by = random.of(facts.actors())
    const own = [...facts.files].filter(([, { ownerId }]) => ownerId === by.id)
    return own.length > 0 ? { id: random.of(own)[0], by } : undefined
  }

  const describeFile: Act = async () => {
    const file = ownFile()
    if (!file) return
    const answer = await describe(file.id, file.by)
    if (noting(facts, `${file.by.username} describes ${file.id}`, answer, 200)) await described(answer.body)
  }

  const deleteFile: Act = async () => {
    const file = ownFile()
    if (!file) return
    const isHeld = facts.files.get(file.id)!.holderId !== undefined
    const answer = await file.by.asks('DELETE', `/api/v1/media/${file.id}`)
    if (noting(facts, `${file.by.username} deletes file ${file.id}`, answer, isHeld ? 422 : 200)) facts.remove([file.id])
  }

  const showOnProfile: Act = async () => {
    const [by, kind] = [random.of(facts.actors()), random.of(['avatar', 'header'] as const)]
    const isRemoved = random.chance(0.3)
    const answer = isRemoved
      ? await by.asks('DELETE', `/api/v1/profile/${kind}`)
      : await by.asks('PATCH', '/api/v1/accounts/update_credentials', { body: formOf({ [kind]: random.of(pictures.slice(0, 2)) }) })
    if (!noting(facts, `${by.username} ${isRemoved ? 'removes' : 'changes'} the ${kind}`, answer, 200)) return
    const profile = facts.profiles.get(by.id)!
    const before = profile[kind]
    if (before) facts.forget(before)
    profile[kind] = isRemoved ? undefined : answer.body[kind]
    if (profile[kind]) await facts.serve(profile[kind])
  }

  const addEmoji: Act = async () => {
    const { url, staticUrl } = await importsEmoji(facts.world, random.of(['blob', 'cat']))
    facts.log.push(`an emoji is added: ${url}`)
    for (const each of new Set([url, staticUrl])) await facts.serve(each)
  }

  return { upload, describe, described, describeFile, deleteFile, showOnProfile, addEmoji }
}
