import { type AccountView, StatusBody, type StatusView } from '@rookery/contracts/statuses'

/** A status as pages show it: its media are sensitive, too, where all of its author's are, and left out where its author's are refused. */
export const statusBodyOf = (view: StatusView, author: AccountView): StatusBody => {
  const body = StatusBody.decode(view.body)
  return {
    ...body,
    sensitive: body.sensitive || author.isSensitized === true,
    attachments: author.rejectsMedia ? [] : body.attachments,
  }
}
