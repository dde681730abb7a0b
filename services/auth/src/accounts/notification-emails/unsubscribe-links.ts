import { isId } from '@rookery/ids'
import type { Seals } from '../../web/http/index.ts'
import { MAIL_KINDS, type MailKind } from './mail-kinds.ts'

/** Whose mail of which kind a link ends. */
type Unsubscription = { readonly accountId: string; readonly kind: MailKind }

/** Links that end mail of a kind without signing in. They have no end of their own: what they do is harmless, and mails are kept for long. */
export const unsubscribeLinks = ({ seals, baseUrl }: { seals: Seals; baseUrl: string }) => {
  const sealed = (text: string) => `unsubscribe ${text}`
  return {
    async linkOf({ accountId, kind }: Unsubscription): Promise<string> {
      const text = `${accountId}.${kind}`
      return `${baseUrl}/auth/mail/unsubscribe?token=${text}.${await seals.seal(sealed(text))}`
    },
    /** What a token of such a link says; undefined when it is not ours. */
    async read(token: string): Promise<Unsubscription | undefined> {
      const [accountId = '', name = '', seal = ''] = token.split('.')
      const kind = MAIL_KINDS.find((each) => each === name)
      if (!kind || !isId(accountId) || !(await seals.isSealed(sealed(`${accountId}.${kind}`), seal))) return undefined
      return { accountId, kind }
    },
  }
}

export type UnsubscribeLinks = ReturnType<typeof unsubscribeLinks>
