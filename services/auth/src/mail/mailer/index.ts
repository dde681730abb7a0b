export { type Mail, type Mailer, noMailer, smtpMailer } from './mailer.ts'
