import { Browser, type World } from './index.ts'

/** A browser that stands before a world's pages. */
export const browser = (world: World): Browser => new Browser({ base: world.origin, server: world.origin })
