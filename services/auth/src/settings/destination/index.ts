export { type KeptDestination, keptDestination } from './kept-destination.ts'
export { nextPath, nextQuery, sameQuery, secondFactorPath } from './next-path.ts'
export { returnPath } from './return-path.rules.ts'
