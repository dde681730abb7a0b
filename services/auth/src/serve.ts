import { runServing } from '@rookery/runtime/service'
import { auth } from './process.ts'

await runServing(auth)
