import { ownEnvironment } from '../config.ts'
import { runBackupCommand } from './command.ts'

process.exit(await runBackupCommand(process.argv.slice(2), ownEnvironment(), { print: console.log, complain: console.error }))
