import { runBackground } from '@rookery/runtime/service'
import { notifications } from './process.ts'

await runBackground(notifications)
