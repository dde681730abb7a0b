import { auth } from '@rookery/auth/process'
import { federation } from '@rookery/federation/process'
import { gateway } from '@rookery/gateway/process'
import { media } from '@rookery/media/process'
import { notifications } from '@rookery/notifications/process'
import type { ServiceSchema } from '@rookery/runtime'
import type { AnyDeclaration } from '@rookery/runtime/service'
import { statuses } from '@rookery/statuses/process'
import { streaming } from '@rookery/streaming/process'

/** Every service, each after those it calls. */
export const SERVICES = { media, statuses, federation, notifications, auth, streaming, gateway } as const

/** The configuration of every service, by name. */
export type RookeryConfig = { readonly [Name in keyof typeof SERVICES]: ReturnType<(typeof SERVICES)[Name]['readConfig']> }

export const DECLARATIONS: readonly AnyDeclaration[] = Object.values(SERVICES)

/** The schemas of the services that have one. */
export const SCHEMAS: readonly ServiceSchema[] = DECLARATIONS.flatMap(({ schema }) => schema ?? [])
