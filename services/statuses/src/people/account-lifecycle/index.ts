export { closeAccountWithin } from './close-account.ts'
