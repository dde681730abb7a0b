import { runBackground } from '@rookery/runtime/service'
import { auth } from './process.ts'

await runBackground(auth)
