import { type AccountView, StatusBody, type StatusView } from '@rookery/contracts/statuses'

/** Whether media of a status or of one of its revisions are sensitive: all of an author's are if staff say so. */
export const isSensitive = ({ sensitive }: { sensitive: boolean }, author: Pick<AccountView, 'isSensitized'> | undefined): boolean =>
  sensitive || author?.isSensitized === true

/** The status for pages: its media are left out if media of its author's server are rejected. */
export const statusBodyOf = (view: StatusView, author: AccountView): StatusBody => {
  const body = StatusBody.decode(view.body)
  return {
    ...body,
    sensitive: isSensitive(body, author),
    attachments: author.rejectsMedia ? [] : body.attachments,
  }
}
