import { isId } from '@rookery/ids'
import type { Seals } from '../../web/http/index.ts'
import { MAIL_KINDS, type MailKind } from './mail-kinds.ts'

/** The account and the kind of mail that a link unsubscribes. */
type Unsubscription = { readonly accountId: string; readonly kind: MailKind }

/**
 * Links that unsubscribe from a kind of mail without signing in. They never expire: unsubscribing is harmless, and mails are kept for long.
 */
export const unsubscribeLinks = ({ seals, baseUrl }: { seals: Seals; baseUrl: string }) => {
  const sealed = (text: string) => `unsubscribe ${text}`
  return {
    async linkOf({ accountId, kind }: Unsubscription): Promise<string> {
      const text = `${accountId}.${kind}`
      return `${baseUrl}/auth/mail/unsubscribe?token=${text}.${await seals.seal(sealed(text))}`
    },
    /** Verifies the token of a link and returns its content; undefined if its signature is wrong. */
    async read(token: string): Promise<Unsubscription | undefined> {
      const [accountId = '', name = '', seal = ''] = token.split('.')
      const kind = MAIL_KINDS.find((each) => each === name)
      if (!kind || !isId(accountId) || !(await seals.isSealed(sealed(`${accountId}.${kind}`), seal))) return undefined
      return { accountId, kind }
    },
  }
}

export type UnsubscribeLinks = ReturnType<typeof unsubscribeLinks>
