import type { Database } from '@rookery/database'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { AppReader } from './app.store.ts'
import { authenticateApp } from './authenticate-app.ts'
import { operatorsApp, registerApp } from './register-app.ts'

export { OUT_OF_BAND } from './app.rules.ts'
export type { App } from './app.store.ts'

/** Apps, for other slices. */
export const createApps = (deps: { database: Database<AuthTables>; clock: Clock; ids: Ids }) => {
  const reader = new AppReader(deps.database.db)
  return {
    find: (id: string) => reader.find(id),
    findByClientId: (clientId: string) => reader.findByClientId(clientId),
    register: registerApp(deps),
    operators: operatorsApp(deps),
    authenticate: authenticateApp(deps),
  }
}

export type Apps = ReturnType<typeof createApps>
