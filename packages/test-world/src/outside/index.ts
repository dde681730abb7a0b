export { Browser, type PageAnswer } from './form-browser.ts'
export { type Letter, letterText, startMailServer } from './mail-server.ts'
