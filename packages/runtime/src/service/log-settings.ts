import { choice } from '../environment.ts'
import { createLogger, LOG_FORMATS, type LogFormat, type Logger } from '../logger.ts'

/** The settings of the log: level and format. */
export const logSettings = (defaultLevel: 'info' | 'warn') => ({
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error', 'silent'], {
    describe: 'Minimum level of log messages.',
    default: defaultLevel,
  }),
  LOG_FORMAT: choice(LOG_FORMATS, {
    describe: 'json (with stack traces), or text for people; auto is text on a terminal and json elsewhere.',
    default: 'auto',
  }),
})

const isFormat = (text: string | undefined): text is LogFormat => LOG_FORMATS.includes(text as LogFormat)

/** The logger of a process that has not validated its settings yet: a wrong format counts as auto until then. */
export const startLogger = (name: string, environment: Record<string, string | undefined>, level = 'warn'): Logger => {
  const format = environment['LOG_FORMAT']
  return createLogger({ name, level, ...(isFormat(format) && { format }) })
}
