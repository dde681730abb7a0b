import type { DeadLetter, FailedJob } from '@rookery/contracts/events'
import { html } from '@rookery/pages'
import { discardJob, discardLetter, type FailedWork, listFailedWork, replayLetter, retryJob } from '../endpoints/failed-work.ts'
import type { AdminPage } from '../page.ts'
import { actPart, folded, type RecordParts, recordsPart, timePart } from '../parts.ts'
import { read, type Visit } from '../visit.ts'

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const errorPart = (visit: Visit, error: string) =>
  error !== firstLine(error) && folded(visit.texts.failed.error, html`<pre class="technical">${error}</pre>`)

const jobRecord = (visit: Visit, job: FailedJob): RecordParts => {
  const { failed } = visit.texts
  return {
    title: job.job,
    facts: [job.id, timePart(visit, job.failedAtMilliseconds), failed.attempts(String(job.attempts)), firstLine(job.error)],
    body: errorPart(visit, job.error),
    acts: [
      actPart(visit, { form: 'retry', label: failed.retry, values: { work: job.id } }),
      actPart(visit, { form: 'discard', label: failed.discard, values: { work: job.id }, about: `${job.job} ${job.id}`, kind: 'danger' }),
    ],
  }
}

const letterRecord = (visit: Visit, letter: DeadLetter): RecordParts => {
  const { failed } = visit.texts
  return {
    title: letter.consumer,
    marks: [letter.isUnreadable ? failed.unreadable : letter.kind],
    facts: [letter.id, timePart(visit, letter.failedAtMilliseconds), letter.topic, firstLine(letter.error), letter.preview],
    body: errorPart(visit, letter.error),
    acts: [
      actPart(visit, { form: 'replay', label: failed.replay, values: { work: letter.id } }),
      actPart(visit, {
        form: 'discardLetter',
        label: failed.discard,
        values: { work: letter.id },
        about: `${letter.consumer} ${letter.id}`,
        kind: 'danger',
      }),
    ],
  }
}

/** GET /admin/failed: failed jobs and dead letters, to retry or discard. */
export const failedWorkPage: AdminPage = {
  path: '/admin/failed',
  section: 'failed',
  isFirst: true,
  access: listFailedWork.access,
  async read(visit) {
    const { texts } = visit
    const { failed } = texts
    const { jobs, letters, silent } = await read<FailedWork>(visit, listFailedWork)
    return {
      title: texts.sections.failed,
      lead: failed.lead,
      body: html`${silent.length > 0 && html`<p class="notice wrong">${failed.silent(silent.join(', '))}</p>`}
<h2>${failed.jobs}</h2>
${recordsPart(
  jobs.map((job) => jobRecord(visit, job)),
  failed.noJobs,
)}
<h2>${failed.letters}</h2>
${recordsPart(
  letters.map((letter) => letterRecord(visit, letter)),
  failed.noLetters,
)}`,
    }
  },
  forms: {
    retry: { endpoint: retryJob, done: 'retried' },
    discard: { endpoint: discardJob, done: 'discarded', final: () => 'discardJob' },
    replay: { endpoint: replayLetter, done: 'replayed' },
    discardLetter: { endpoint: discardLetter, done: 'discarded', final: () => 'discardLetter' },
  },
}
