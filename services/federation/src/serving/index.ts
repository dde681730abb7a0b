export { countHost, federationLimits, serveActors } from './serve-actors.ts'
