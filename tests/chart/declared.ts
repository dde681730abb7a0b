import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { auth } from '../../services/auth/src/process.ts'
import { federation } from '../../services/federation/src/process.ts'
import { gateway } from '../../services/gateway/src/process.ts'
import { media } from '../../services/media/src/process.ts'
import { notifications } from '../../services/notifications/src/process.ts'
import { statuses } from '../../services/statuses/src/process.ts'
import { streaming } from '../../services/streaming/src/process.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** The services by name, as they declare themselves. */
export const DECLARED = { auth, federation, gateway, media, notifications, statuses, streaming } as const
export type ServiceName = keyof typeof DECLARED

/** Whether a service has a half that runs from a file of that name. */
export const hasHalf = (service: string, half: 'background' | 'migrate'): boolean =>
  existsSync(join(ROOT, 'services', service, 'src', `${half}.ts`))
