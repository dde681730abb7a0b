import { languageOf } from '@rookery/pages'
import { type Envelope, mailOf, type StaffMailKind } from '../../accounts/notification-emails/index.ts'
import type { Mail } from '../../mail/mailer/index.ts'
import { textsOf } from '../../web/html/index.ts'
import type { Waiting } from './waiting.ts'

/** The staff pages that list the pending items of each kind. */
const PATHS: Readonly<Record<StaffMailKind, string>> = {
  report: '/admin/reports',
  appeal: '/admin/appeals',
  pendingAccount: '/admin/approvals',
}

/** The mail about pending items of a kind: their number, accounts and links, but none of their text. */
export const staffMail = (envelope: Envelope, kind: StaffMailKind, { count, latest }: Waiting): Mail => {
  const { staffMails, notificationMails } = textsOf(languageOf(envelope.locale))
  const { subject, lead } = staffMails[kind]
  const { host } = new URL(envelope.baseUrl)
  const lines = latest.map(({ who, by, path }) => {
    const what = by ? staffMails.about(`@${who}`, `@${by}`) : `@${who}`
    return path === PATHS[kind] ? what : `${what}\n${envelope.baseUrl}${path}`
  })
  const others = count - latest.length
  return mailOf(envelope, kind, {
    subject: subject(host),
    body: [
      lead(count, host),
      ...lines,
      ...(latest.length > 0 && others > 0 ? [notificationMails.digest.others(others)] : []),
      `${envelope.baseUrl}${PATHS[kind]}`,
    ],
  })
}
