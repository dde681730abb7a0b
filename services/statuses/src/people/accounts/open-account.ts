import { type Db, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, AccountWriter } from './account.store.ts'

/** The account that auth asks to open; times in milliseconds since 1970. */
export type Opening = {
  id: string
  username: string
  createdAtMilliseconds: number
  isActive: boolean
  locale: string
  role?: string | undefined
}

/** Opens an account: this service's step of a sign-up. Idempotent by id. @throws Failure conflict if another account has the username */
export const openAccount =
  ({ db }: { db: Db<StatusesTables> }) =>
  async (opening: Opening): Promise<void> => {
    const added = await transact(db, async (tx) => {
      const writer = new AccountWriter(tx)
      if ((await writer.reserved([opening.username])).length > 0) return false
      return writer.add({
        id: opening.id,
        username: opening.username,
        isActive: opening.isActive,
        createdAt: new Date(opening.createdAtMilliseconds),
        defaultLanguage: null,
        locale: opening.locale || null,
        role: opening.role ?? '',
      })
    })
    if (added) return
    const holder = await new AccountReader(db).idOf({ username: opening.username })
    if (holder !== opening.id) throw new Failure('conflict', 'Username has already been taken')
  }
