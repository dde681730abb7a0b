export { forgottenPages, resetPages } from './forgotten-password.ts'
