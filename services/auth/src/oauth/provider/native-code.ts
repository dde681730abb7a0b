import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { RequestHandler } from 'express'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import { showCodePage } from '../../web/html/index.ts'
import { frameOf, queryOf, sendPage, textOf } from '../../web/http/index.ts'
import { CodeReader } from '../grants/index.ts'
import { refusal } from './refusal.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; host: string }

/** GET /oauth/authorize/native: shows a code for copying, unless it is unknown, expired or used (spec, OAuth: 400 invalid_grant). */
export const nativeCodeEndpoint =
  ({ database, clock, host }: Deps): RequestHandler =>
  async (request, response) => {
    const parameters = queryOf(request)
    if (textOf(parameters, 'error') === 'access_denied') throw refusal('access_denied')
    const code = textOf(parameters, 'code')
    const found = code && (await new CodeReader(database.db).find(digestOf(code), new Date(clock.now())))
    if (!code || !found || found.usedMillisecondsAgo !== undefined) throw refusal('invalid_grant')
    const frame = frameOf(request, host)
    sendPage(response, frame, showCodePage(frame, code))
  }
