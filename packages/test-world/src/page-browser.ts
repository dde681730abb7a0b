import { Browser, type Person, type World } from './index.ts'

/** A browser for a world's pages. */
export const browser = (world: World): Browser => new Browser({ base: world.origin, server: world.origin })

/** A browser in which a person of the world is signed in. */
export const signIn = async (world: World, { username }: Pick<Person, 'username'>): Promise<Browser> => {
  const visitor = browser(world)
  await visitor.submit(await visitor.visit('/auth/sign_in'), { email: `${username}@example.org`, password: `${username}-password` })
  return visitor
}
