import { runServing } from '@rookery/runtime/service'
import { streaming } from './process.ts'

await runServing(streaming)
