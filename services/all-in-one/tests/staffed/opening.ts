import type { Person, World } from '@rookery/test-world'
import { STAFF_SCOPES } from '@rookery/test-world'
import { said, stranger } from '@rookery/test-world/elsewhere'
import { randomFrom } from '@rookery/test-world/random'
import type { Account, Stage } from './stage.ts'

// Who is there when a walk begins.

const DOMAINS = ['far.example', 'far.example', 'sub.far.example', 'deep.sub.far.example', 'other.example', 'other.example']
const STAFF = [
  ['owner', 'owner'],
  ['admin', 'admin'],
  ['boss', 'admin'],
  ['mod', 'moderator'],
  ['moddy', 'moderator'],
] as const
const PEOPLE = 6

const unlimited = { isSensitized: false, isDisabled: false, isSilenced: false, isSuspended: false }

const accountOf = ({ id, username }: { id: string; username: string }, more: Partial<Account> & { statusId: string }): Account => ({
  ...{ id, username, role: 'user', silencedByDomain: false, suspendedByDomain: false },
  ...unlimited,
  ...more,
})

const joining =
  (world: World, accounts: Stage['accounts']) =>
  async (username: string, role: Account['role'] = 'user'): Promise<Person> => {
    const person = await world.person(username, { role, scopes: STAFF_SCOPES })
    const body = { discoverable: true, display_name: `The ${username}` }
    await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
    const { id: statusId } = await person.says(`I am ${username} #tea`)
    accounts.set(person.id, accountOf(person, { role, statusId }))
    return person
  }

const arrive = async (world: World, accounts: Stage['accounts']) => {
  for (const [index, domain] of DOMAINS.entries()) {
    const username = `stranger${index}`
    const profile = { discoverable: true, displayName: `The ${username}`, avatarUrl: `https://${domain}/cat.png` }
    const one = await stranger(world, username, domain, profile)
    const { id: statusId } = await said(world, one, `I am ${username} #tea`, { tags: ['tea'] })
    accounts.set(one.id, accountOf(one, { domain, statusId }))
  }
}

/** Opens the stage: five of staff, six people and six of other servers, each with a public status. */
export const open = async (world: World, seed: number): Promise<Stage> => {
  const accounts: Stage['accounts'] = new Map()
  const join = joining(world, accounts)
  const [staff, people]: [Person[], Person[]] = [[], []]
  for (const [username, role] of STAFF) staff.push(await join(username, role))
  for (let index = 0; index < PEOPLE; index++) people.push(await join(`user${index}`))
  await arrive(world, accounts)
  await world.idle()
  return { world, random: randomFrom(seed), people, staff, owner: staff[0]!, accounts, now: () => world.clock.now() }
}
