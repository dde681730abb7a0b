/** Usernames that seem to speak for the server, or that appear in its URLs. */
const RESERVED = `
  abuse account accounts admin administrator admins api app apps auth autoconfig autodiscover contact dns everyone health help here
  host hostmaster imap info inbox instance is_admin localhost login logout mail mailer_daemon me media moderator moderators mod mods
  nobody nodeinfo no_reply noreply null oauth official operator owner password pop3 postmaster privacy register registration root
  rookery rules security server service settings share sign_in sign_out sign_up signin signout signup smtp ssl staff streaming
  superuser support sysadmin system tags team terms undefined unsubscribe user users webmaster www`

const NAMES: ReadonlySet<string> = new Set(RESERVED.split(/\s+/).filter(Boolean))

/** Whether a username is reserved (spec, ERR_RESERVED). */
export const isReserved = (username: string): boolean => NAMES.has(username.toLowerCase())
