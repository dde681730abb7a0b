import { signIn } from './page-browser.ts'
import type { Person } from './person.ts'
import type { World } from './world.ts'

export const MOVE_PAGE = '/auth/account/move'

/** Declares another account as an alias, on the person's own server. */
export const names = async (world: World, person: Person, handle: string) => {
  const visitor = await signIn(world, person)
  return visitor.submit(await visitor.visit(MOVE_PAGE), { alias: handle }, `${MOVE_PAGE}/aliases?`)
}

/** Takes a move back. */
export const returns = async (world: World, person: Person) => {
  const visitor = await signIn(world, person)
  return visitor.submit(await visitor.visit(MOVE_PAGE), { current_password: `${person.username}-password` }, `${MOVE_PAGE}/undo`)
}

/** Moves the account to another one. */
export const moves = async (world: World, person: Person, handle: string, password = `${person.username}-password`) => {
  const visitor = await signIn(world, person)
  return visitor.submit(await visitor.visit(MOVE_PAGE), { acct: handle, current_password: password }, `${MOVE_PAGE}?`)
}
