import type { Tx } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { AuthTables } from '../../database/schema.ts'
import { SERVICE } from '../../service.ts'
import type { Mailer } from '../mailer/index.ts'
import { type Notice, noticeMail } from './notice-mail.ts'

const SEND_NOTICE = 'send-notice'

type Deps = { mailer: Mailer; baseUrl: string }

/** Adds the job that mails a notice, with the transaction, if the server can send mail. */
export const requestNotice =
  ({ mailer }: Pick<Deps, 'mailer'>) =>
  async (tx: Tx<AuthTables>, notice: Notice): Promise<void> => {
    if (mailer.canSend) await addJob(tx, SERVICE, SEND_NOTICE, notice)
  }

/** Mails a notice. */
export const sendNotice = ({ mailer, baseUrl }: Deps): Job =>
  job<Notice>({
    name: SEND_NOTICE,
    lane: 'mail',
    run: (notice) => mailer.send(noticeMail(notice, baseUrl)),
  })
