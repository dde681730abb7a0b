import { type AccountView, StatusBody, type StatusView } from '@rookery/contracts/statuses'

/** The status for pages: its media are sensitive if all of its author's are, and left out if media of its author's server are rejected. */
export const statusBodyOf = (view: StatusView, author: AccountView): StatusBody => {
  const body = StatusBody.decode(view.body)
  return {
    ...body,
    sensitive: body.sensitive || author.isSensitized === true,
    attachments: author.rejectsMedia ? [] : body.attachments,
  }
}
