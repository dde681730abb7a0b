export { confirmationPages } from './confirmation.ts'
export { type Again, judgeSignIn } from './judge-sign-in.ts'
export { createMailSent, type MailSent } from './mail-sent.ts'
export { createSignUp, type SignUp, signUpPages } from './sign-up.ts'
