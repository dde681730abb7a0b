import { runProcess } from '../process.ts'
import { openBackground } from './background.ts'
import { ownEnvironment } from './config.ts'
import type { AnyDeclaration } from './declaration.ts'
import { startLogger } from './log-settings.ts'
import { finishStart, openService } from './open.ts'
import { openServing } from './serve.ts'

/**
 * Runs both processes of a service as one, over the same module and connections: less memory, for a small cluster (decision 38). The
 * background work starts last and so closes first: it finishes while calls are still answered.
 */
export const runWhole = (declared: AnyDeclaration): Promise<void> =>
  runProcess(startLogger(declared.name, ownEnvironment()), async (lifecycle) => {
    const service = await openService(declared, { role: 'whole' }, lifecycle)
    const listening = await openServing(declared, service, lifecycle)
    await openBackground(declared, service, lifecycle, 'whole')
    finishStart(service, listening)
  })
