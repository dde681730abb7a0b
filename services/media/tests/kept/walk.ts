import { AutomaticDeletionDefinition } from '@rookery/contracts/statuses'
import type { Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { runJob } from '@rookery/test-world/queries'
import { randomFrom } from '@rookery/test-world/random'
import { compareAll } from './compare.ts'
import { DAY, Facts, HOUR, MINUTE } from './facts.ts'
import { type Act, fileActs, type Picture } from './file-acts.ts'
import { statusActs } from './status-acts.ts'

/** How much time passes after an act. Never so much that a file goes at the very moment of a comparison. */
const PAUSES = [0, 0, 0, 0, 0, 0, 0, 0, MINUTE, 67 * MINUTE, 5 * HOUR, 11 * HOUR + 3 * MINUTE, 26 * HOUR, 8 * DAY]
const NAMES = ['mara', 'joel', 'ines']

/** Old posts are deleted after a week, a day after that was chosen. */
const OLD_POSTS = { isOn: true, days: 7, keepDirect: false, keepPinned: false, keepFavourited: false, keepBookmarked: false }

const arrive = async (facts: Facts, name: string): Promise<Person> => {
  const person = await facts.world.person(name)
  facts.people.push(person)
  facts.profiles.set(person.id, { avatar: undefined, header: undefined })
  return person
}

/** What staff do to people, and what people leave to the server. */
const accountActs = (facts: Facts) => {
  const { world, random } = facts
  const suspend: Act = async () => {
    const person = facts.people.find(({ id }) => facts.suspended.has(id)) ?? random.of(facts.people)
    const isSuspended = !facts.suspended.has(person.id)
    await world.operator().setSuspended(innerCall(), { username: person.username, isSuspended })
    facts.suspended[isSuspended ? 'add' : 'delete'](person.id)
    facts.log.push(`${person.username} is ${isSuspended ? '' : 'not '}suspended`)
  }
  const deleteOld: Act = async () => {
    const { id, username } = random.of(facts.people)
    const policy = { ...OLD_POSTS, keepPolls: false, keepMedia: false, minFavourites: undefined, minBoosts: undefined }
    await innerClient(world, AutomaticDeletionDefinition).change(innerCall(), { accountId: id, policy })
    facts.deletions.set(id, facts.now() + DAY)
    facts.log.push(`${username} has old posts deleted`)
  }
  let left = 0
  const leave: Act = async () => {
    const person = random.of(facts.people)
    if (!facts.actors().some((other) => other !== person)) return
    await world.operator().deleteAccount(innerCall(), { username: person.username })
    facts.log.push(`${person.username} leaves`)
    for (const each of [facts.posts, facts.waiting]) for (const { id, author } of [...each.values()]) if (author === person) each.delete(id)
    facts.remove([...facts.files].filter(([, { ownerId }]) => ownerId === person.id).map(([id]) => id))
    for (const url of Object.values(facts.profiles.get(person.id)!)) if (url) facts.forget(url)
    facts.profiles.delete(person.id)
    facts.deletions.delete(person.id)
    facts.suspended.delete(person.id)
    facts.people.splice(facts.people.indexOf(person), 1)
    await arrive(facts, `newcomer${++left}`)
    for (const milliseconds of [MINUTE, HOUR]) await passTime(facts, milliseconds)
  }
  return { suspend, deleteOld, leave }
}

/** Scheduled statuses whose time has come: posts, or drafts where their authors may not post. */
const publishDue = async (facts: Facts) => {
  for (const waiting of [...facts.waiting.values()]) {
    const { at, author, text } = waiting
    if (at === undefined || at > facts.now()) continue
    if (facts.suspended.has(author.id)) facts.waiting.set(waiting.id, { ...waiting, at: undefined })
    else {
      const said = (await author.get(`/api/v1/accounts/${author.id}/statuses?limit=40`)).body
      const post = said.find(({ content }: { content: string }) => content === `<p>${text}</p>`)
      if (post) facts.publish(waiting, post)
      else facts.faults.push(`${author.username}'s ${waiting.id} was not published when it was due`)
    }
  }
}

/** Old posts of those who do not want to keep them. */
const deleteOldPosts = (facts: Facts) => {
  for (const [accountId, dueAt] of facts.deletions) {
    if (dueAt > facts.now() || facts.suspended.has(accountId)) continue
    const old = [...facts.posts.values()].filter((post) => post.author.id === accountId && post.createdAt < facts.now() - 7 * DAY)
    for (const { id } of old) facts.end(id, { withFiles: true })
    facts.deletions.set(accountId, facts.now() + HOUR)
  }
}

const passTime = async (facts: Facts, milliseconds: number) => {
  const { world } = facts
  await world.advance(milliseconds)
  if (milliseconds === 0) return
  await publishDue(facts)
  await runJob(world, 'delete-old-statuses')
  deleteOldPosts(facts)
  await runJob(world, 'reap-attachments', 'media')
  facts.expire()
}

/** People, staff and time do things to files at random; every few acts all that is said and stored of files is compared with the facts. */
export const takeWalk = async (
  world: World,
  { seed, acts, every, pictures }: { seed: number; acts: number; every: number; pictures: readonly Picture[] },
) => {
  const facts = new Facts(world, randomFrom(seed))
  for (const name of NAMES) await arrive(facts, name)
  const files = fileActs(facts, pictures)
  const statuses = statusActs(facts, files)
  const accounts = accountActs(facts)
  const weighted: [number, Act][] = [
    [9, files.upload],
    [3, files.describeFile],
    [1, files.deleteFile],
    [2, files.showOnProfile],
    [1, files.addEmoji],
    [5, statuses.post],
    [3, statuses.schedule],
    [6, statuses.edit],
    [3, statuses.deletePost],
    [1, statuses.deleteAsStaff],
    [3, statuses.change],
    [1, statuses.publish],
    [1, statuses.cancel],
    [1, statuses.claimTwice],
    [1, statuses.postAndDelete],
    [1, statuses.publishAndCancel],
    [1, statuses.publishDescribed],
    [1, statuses.deleteDescribed],
    [3, accounts.suspend],
    [1, accounts.deleteOld],
  ]
  const all = weighted.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))
  let values = 0
  for (let count = 1; count <= acts && facts.faults.length === 0; count++) {
    await (count === Math.floor(acts / 2) ? accounts.leave : facts.random.of(all))()
    await passTime(facts, facts.random.of(PAUSES))
    if (count % every === 0) values += await compareAll(facts)
  }
  // What something shows stays for longer than files that nothing does.
  if (facts.faults.length === 0) await passTime(facts, 8 * DAY)
  values += await compareAll(facts)
  return { faults: facts.faults, log: facts.log, values }
}
