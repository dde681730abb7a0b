export { runCommand, type Terminal } from './run-command.ts'
