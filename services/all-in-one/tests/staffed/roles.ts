import { StaffAccountsDefinition } from '@rookery/contracts/auth'
import { mayChangeRole, PERMISSIONS, RANKS } from '@rookery/contracts/permissions'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import type { Act, Area, Maker, Stage } from './stage.ts'
import { called, judging } from './stage.ts'

// Roles, and who may give them.

export const rolesArea = (stage: Stage): Area => {
  const { world, random, staff, people, owner, accounts } = stage
  const { account, may } = judging(stage)
  const client = innerClient(world, StaffAccountsDefinition)
  const change: Maker = () => {
    const [by, target, role] = [random.of(staff), random.of([...staff, ...people]), random.of(RANKS)]
    if (target.id === owner.id || !may(by, PERMISSIONS.manageRoles)) return undefined
    const holder = ({ id }: { id: string }) => ({ accountId: id, role: account(id).role })
    return {
      what: `${by.username} makes ${target.username} ${role}`,
      send: () => called(() => client.changeRole(innerCall(), { accountId: target.id, staffId: by.id, role })),
      wanted: mayChangeRole(holder(by), holder(target), role) ? 200 : 403,
      ...{ keys: [], fixed: [`account ${by.id}`, `account ${target.id}`] },
      done: () => Object.assign(accounts.get(target.id)!, { role }),
    }
  }
  const first = new Map([...accounts.values()].map(({ id, role }) => [id, role]))
  const undo = () =>
    [...accounts.values()]
      .filter(({ id, role }) => role !== first.get(id))
      .map(({ id, username }): Act => {
        const role = first.get(id)!
        const send = () => called(() => client.changeRole(innerCall(), { accountId: id, staffId: owner.id, role }))
        const done = () => Object.assign(account(id), { role })
        return { what: `owner makes ${username} ${role} again`, send, wanted: 200, keys: [], done }
      })
  return { makers: [[3, change]], compare: async () => {}, undo }
}
