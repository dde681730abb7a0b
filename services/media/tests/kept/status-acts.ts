import type { Answer, Person } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { ahead } from '@rookery/test-world/scheduling'
import { type Facts, HOUR, MINUTE, type Post, type Waiting } from './facts.ts'
import { type Act, type fileActs, noting } from './file-acts.ts'

// What people do with statuses that show files: they post, schedule, edit and delete them, sometimes twice at once.

const MAX_FILES = 4
const SCHEDULED = '/api/v1/scheduled_statuses'

export const statusActs = (facts: Facts, { describe, described }: ReturnType<typeof fileActs>) => {
  const { random, world } = facts
  const some = (ids: readonly string[], max = MAX_FILES) => ids.filter(() => random.chance(0.6)).slice(0, max)

  /** Files for a status, now and then with one that is not to be had; and whether all can be had. */
  const choose = (by: Person, own: readonly string[] = []) => {
    const chosen = some([...own, ...facts.freeOf(by)])
    const all = [...facts.files.keys(), ...facts.goneFiles.slice(-5).map(({ id }) => id)]
    const fileIds = random.chance(0.15) && all.length > 0 ? [...new Set([...chosen, random.of(all)])].slice(-MAX_FILES) : chosen
    return { fileIds, areFree: fileIds.every((id) => own.includes(id) || facts.isFree(id, by)) }
  }

  const added = (by: Person, fileIds: string[], { body }: Answer) => {
    facts.posts.set(body.id, { id: body.id, author: by, fileIds, revisions: [], createdAt: facts.now() })
    facts.hold(fileIds, body.id)
  }

  const post: Act = async () => {
    const by = random.of(facts.actors())
    const { fileIds, areFree } = choose(by)
    const visibility = random.of(['public', 'unlisted', 'private', 'direct'])
    const answer = await by.post('/api/v1/statuses', { status: facts.text(), media_ids: fileIds, visibility })
    if (noting(facts, `${by.username} posts ${answer.body?.id} with ${fileIds}`, answer, areFree ? 200 : 422)) added(by, fileIds, answer)
  }

  const schedule: Act = async () => {
    const by = random.of(facts.actors())
    const [{ fileIds, areFree }, text] = [choose(by), facts.text()]
    const time = random.chance(0.2) ? { draft: true } : { scheduled_at: ahead(world, random.of([10 * MINUTE, 5 * HOUR, 30 * HOUR])) }
    const answer = await by.post('/api/v1/statuses', { status: text, media_ids: fileIds, ...time })
    if (!noting(facts, `${by.username} schedules ${answer.body?.id} with ${fileIds}`, answer, areFree ? 200 : 422)) return
    const { id, scheduled_at: at } = answer.body
    facts.waiting.set(id, { id, author: by, text, fileIds, at: at ? Date.parse(at) : undefined })
    facts.hold(fileIds, id)
  }

  /** Something of someone who may act. */
  const one = <Thing extends { author: Person }>(things: ReadonlyMap<string, Thing>): Thing | undefined => {
    const own = [...things.values()].filter(({ author }) => !facts.suspended.has(author.id))
    return own.length > 0 ? random.of(own) : undefined
  }

  /** Notes an edit, which makes a revision, the first one of the original too. */
  const edited = ({ id, ...post }: Post, fileIds: string[], descriptions: Record<string, string>) => {
    const entities = () => structuredClone(facts.entitiesOf(fileIds))
    const original = structuredClone(facts.entitiesOf(post.fileIds))
    for (const [fileId, description] of Object.entries(descriptions)) facts.files.get(fileId)!.entity.description = description
    facts.hold(fileIds, id)
    const before = post.revisions.length > 0 ? post.revisions : [original]
    facts.posts.set(id, { ...post, id, fileIds, revisions: [...before, entities()] })
  }

  const edit: Act = async () => {
    const post = one(facts.posts)
    if (!post) return
    const { fileIds, areFree } = choose(post.author, facts.heldBy(post.id))
    const isTooLong = random.chance(0.1)
    const described = areFree ? some(fileIds, 1) : []
    const descriptions = Object.fromEntries(described.map((id) => [id, isTooLong ? 'a'.repeat(1501) : `edited ${facts.text()}`]))
    const media_attributes = Object.entries(descriptions).map(([id, description]) => ({ id, description }))
    const body = { status: facts.text(), media_ids: fileIds, media_attributes }
    const answer = await post.author.asks('PUT', `/api/v1/statuses/${post.id}`, { body })
    const wanted = areFree && !(isTooLong && described.length > 0) ? 200 : 422
    if (noting(facts, `${post.author.username} edits ${post.id} to show ${fileIds}, describes ${described}`, answer, wanted))
      edited(post, fileIds, descriptions)
  }

  const deletePost: Act = async () => {
    const post = one(facts.posts)
    if (!post) return
    const withFiles = random.chance(0.3)
    const answer = await post.author.asks('DELETE', `/api/v1/statuses/${post.id}${withFiles ? '?delete_media=true' : ''}`)
    if (noting(facts, `${post.author.username} deletes ${post.id}${withFiles ? ' with files' : ''}`, answer, 200))
      facts.end(post.id, { withFiles })
  }

  const deleteAsStaff: Act = async () => {
    const post = one(facts.posts)
    if (!post) return
    const act = { statusIds: [post.id], action: 'delete_statuses', text: '', sendsMail: false }
    await world.operator().actOnStatuses(innerCall(), act)
    facts.log.push(`an operator deletes ${post.id}`)
    facts.end(post.id, { withFiles: true })
  }

  const change: Act = async () => {
    const waiting = one(facts.waiting)
    if (!waiting) return
    const { id, author, fileIds: before } = waiting
    const { fileIds, areFree } = choose(author, before)
    const answer = await author.asks('PUT', `${SCHEDULED}/${id}`, { body: { media_ids: fileIds } })
    if (!noting(facts, `${author.username} changes ${id} to show ${fileIds}`, answer, areFree ? 200 : 422)) return
    facts.free(before.filter((each) => !fileIds.includes(each)))
    facts.hold(fileIds, id)
    facts.waiting.set(id, { ...waiting, fileIds })
  }

  const publishes = ({ id, author }: Waiting) => author.post(`${SCHEDULED}/${id}/publish`)
  const cancels = ({ id, author }: Waiting) => author.asks('DELETE', `${SCHEDULED}/${id}`)

  const publish: Act = async () => {
    const waiting = one(facts.waiting)
    if (!waiting) return
    const answer = await publishes(waiting)
    if (noting(facts, `${waiting.author.username} publishes ${waiting.id} as ${answer.body.id}`, answer, 200))
      facts.publish(waiting, answer.body)
  }

  const cancel: Act = async () => {
    const waiting = one(facts.waiting)
    if (!waiting) return
    if (noting(facts, `${waiting.author.username} cancels ${waiting.id}`, await cancels(waiting), 200))
      facts.end(waiting.id, { withFiles: false })
  }

  /** Of two acts at once one is done, and the other refused. */
  const oneOf = (what: string, answers: readonly Answer[], refusal: number): number => {
    const statuses = answers.map(({ status }) => status)
    facts.log.push(`${statuses} ${what}`)
    if (statuses.toSorted().join() !== [200, refusal].join()) facts.faults.push(`${what} at once are answered ${statuses}`)
    return statuses.indexOf(200)
  }

  const claimTwice: Act = async () => {
    const by = random.of(facts.actors())
    const [id] = some(facts.freeOf(by))
    if (!id) return
    const posts = () => by.post('/api/v1/statuses', { status: facts.text(), media_ids: [id] })
    const answers = await Promise.all([posts(), posts()])
    const done = answers[oneOf(`${by.username} posts ${id} twice`, answers, 422)]
    if (done) added(by, [id], done)
  }

  const postAndDelete: Act = async () => {
    const by = random.of(facts.actors())
    const [id] = some(facts.freeOf(by))
    if (!id) return
    const posting = by.post('/api/v1/statuses', { status: facts.text(), media_ids: [id] })
    const answers = await Promise.all([posting, by.asks('DELETE', `/api/v1/media/${id}`)])
    const done = oneOf(`${by.username} posts and deletes ${id}`, answers, 422)
    if (done === 0) added(by, [id], answers[0])
    if (done === 1) facts.remove([id])
  }

  const publishAndCancel: Act = async () => {
    const waiting = one(facts.waiting)
    if (!waiting) return
    const answers = await Promise.all([publishes(waiting), cancels(waiting)])
    const done = oneOf(`${waiting.author.username} publishes and cancels ${waiting.id}`, answers, 404)
    if (done === 0) facts.publish(waiting, answers[0].body)
    if (done === 1) facts.end(waiting.id, { withFiles: false })
  }

  /** Describes a file of a status while that is edited, published or deleted. */
  const describeMeanwhile = async (fileId: string, by: Person, doing: Promise<Answer>, what: string): Promise<Answer | undefined> => {
    const [answer, done] = await Promise.all([describe(fileId, by), doing])
    if (noting(facts, `${by.username} describes ${fileId} while it is ${what}`, answer, 200)) await described(answer.body)
    return noting(facts, `… ${what}`, done, 200) ? done : undefined
  }

  const publishDescribed: Act = async () => {
    const waiting = one(facts.waiting)
    const [fileId] = waiting?.fileIds ?? []
    if (!waiting || !fileId) return
    const done = await describeMeanwhile(fileId, waiting.author, publishes(waiting), `published from ${waiting.id}`)
    if (done) facts.publish(waiting, done.body)
  }

  const deleteDescribed: Act = async () => {
    const post = one(facts.posts)
    const [fileId] = post?.fileIds ?? []
    if (!post || !fileId) return
    const deleting = post.author.asks('DELETE', `/api/v1/statuses/${post.id}`)
    if (await describeMeanwhile(fileId, post.author, deleting, `deleted with ${post.id}`)) facts.end(post.id, { withFiles: false })
  }

  const alone = { post, schedule, edit, deletePost, deleteAsStaff, change, publish, cancel }
  return { ...alone, claimTwice, postAndDelete, publishAndCancel, publishDescribed, deleteDescribed }
}
