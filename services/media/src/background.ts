import { runBackground } from '@rookery/runtime/service'
import { media } from './process.ts'

await runBackground(media)
