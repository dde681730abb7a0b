import type { Language } from '@rookery/pages'

/** What can go wrong on a page. */
export type FaultName =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_redirect_uri'
  | 'invalid_scope'
  | 'invalid_grant'
  | 'access_denied'
  | 'expired'
  | 'stale_form'
  | 'throttled'
  | 'closed'
  | 'not_found'
  | 'unavailable'
  | 'server_error'

/** What moderators did to an account. */
type WarningKind = 'warned' | 'statusesDeleted' | 'statusesMarked' | 'sensitized' | 'disabled' | 'silenced' | 'suspended'

/** What a mail tells someone has happened to their login. */
export type NoticeKind =
  | 'passwordChanged'
  | 'emailChanging'
  | 'emailChanged'
  | 'accountClosed'
  | 'approved'
  | 'rejected'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'recoveryCodesMade'
  | 'recoveryCodeUsed'
  | 'wrongCode'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'appealApproved'
  | 'appealRejected'
  | WarningKind

/** Mail about what waits for staff. */
export type StaffMailKind = 'report' | 'appeal' | 'pendingAccount'

/** Mail about notifications that people may ask for, of types, and a digest of all; and mail to staff. */
export type MailKind = 'mention' | 'follow' | 'followRequest' | 'digest' | StaffMailKind

type Notice = { title: string; text: string }

/** What a violation of a registration says beside its field, by field and code; `any` is said for the other fields. */
type ViolationTexts = Record<string, Record<string, string>> & { any: Record<string, string> }

/** Everything pages and mail say, once in each language. */
export type Texts = {
  language: Language
  signIn: {
    title: string
    lead(app: string): string
    name: string
    email: string
    password: string
    submit: string
    wrong: string
    throttled: string
    disabled: string
    forgot: string
    noAccount: string
    signUp: string
  }
  approve: {
    title(app: string): string
    signedInAs(name: string): string
    otherAccount: string
    scopes: string
    submit: string
    deny: string
    returnsTo(place: string): string
    website: string
  }
  scopes: {
    /** What an umbrella or a single scope allows. */
    whole: Record<string, string>
    read(things: string): string
    write(things: string): string
    adminRead(things: string): string
    adminWrite(things: string): string
    /** What the second half of a granular scope names. */
    things: Record<string, string>
  }
  postForm: { title: string; submit: string }
  showCode: { title: string; lead: string; label: string }
  signUp: {
    title: string
    lead(host: string): string
    /** For someone who comes by an invitation; the name is without @. */
    invited(username: string, host: string): string
    username: string
    usernameHint: string
    email: string
    password: string
    passwordHint: string
    reason: string
    reasonHint: string
    agreement: string
    agreementWithTerms: string
    rules: string
    terms: string
    privacy: string
    submit: string
    haveAccount: string
    signIn: string
    summary: string
  }
  violations: ViolationTexts
  mailSent: Notice & { resend: string; resent: string }
  pending: Notice
  /** Why a right password lets no one in, by its reason. */
  barred: { disabled: string; suspended: string; memorial: string; closing: string }
  ready: Notice
  confirm: { title: string; text: string; submit: string; done: Notice; donePending: Notice; bad: Notice }
  forgot: { title: string; lead: string; submit: string; sent: Notice; noMail: Notice }
  reset: { title: string; lead: string; password: string; submit: string; done: Notice; bad: Notice }
  account: {
    title: string
    signInLead: string
    change: string
    passwordHidden: string
    currentPassword: string
    wrongPassword: string
    apps: string
    noApps: string
    browsers: string
    someBrowser: string
    thisBrowser: string
    since(day: string): string
    end: string
    ended: string
    everywhere: string
    endedEverywhere: Notice
  }
  secondFactor: Record<
    | 'title'
    | 'isOn'
    | 'isOff'
    | 'lead'
    | 'required'
    | 'scan'
    | 'qr'
    | 'typed'
    | 'onThisDevice'
    | 'firstCode'
    | 'turnOn'
    | 'stepTitle'
    | 'stepLead'
    | 'code'
    | 'codeHint'
    | 'wrong'
    | 'lost'
    | 'renew'
    | 'turnOff'
    | 'codesTitle'
    | 'codesLead'
    | 'codesKept',
    string
  > & { since(day: string): string; codesLeft(count: number): string; off: Notice }
  passkeys: Record<
    | 'title'
    | 'lead'
    | 'none'
    | 'neverUsed'
    | 'add'
    | 'addLead'
    | 'name'
    | 'unnamed'
    | 'added'
    | 'remove'
    | 'removeLead'
    | 'removed'
    | 'back'
    | 'signIn'
    | 'failed'
    | 'needsScript',
    string
  > & {
    since(day: string): string
    lastUsed(day: string): string
    count(count: number): string
    removeTitle(name: string): string
  }
  changeEmail: {
    title: string
    lead(email: string): string
    email: string
    submit: string
    sent: Notice
    confirm(email: string): string
    done: Notice
    bad: Notice
    taken: Notice
  }
  deleteAccount: { title: string; lead(host: string): string; lastOwner: string; submit: string; done: Notice }
  data: {
    title: string
    lead: string
    archive: string
    archiveHint: string
    lists: { following: string; lists: string; blocks: string; mutes: string; domainBlocks: string; bookmarks: string }
    save: string
    readIn: string
    kind: string
    file: string
    mode: string
    merge: string
    overwrite: string
    submit: string
    taken: string
    unreadable: string
    /** A file that does not hold what was chosen. */
    otherKind: string
    reading(done: number, lines: number): string
    read(done: number, lines: number): string
    failures(count: number): string
  }
  move: {
    title: string
    lead: string
    /** Shown to someone who moved; the name is without @. */
    moved(username: string): string
    acct: string
    /** How a handle is written. */
    handle: string
    submit: string
    undo: string
    done: string
    undone: string
    aliases: string
    aliasesLead: string
    alias: string
    addAlias: string
    removeAlias: string
    aliasAdded: string
    aliasRemoved: string
  }
  /** What staff did to someone, and what they say against it. */
  strikes: {
    title: string
    lead: string
    none: string
    done(at: string): string
    said: string
    posts: string
    noPosts: string
    takenBack: string
    appeal: string
    appealLead(until: string): string
    text: string
    submit: string
    tooLate: string
    states: Record<'pending' | 'approved' | 'rejected', string>
    all: string
  }
  /** Links by which people sign up. */
  invites: {
    title: string
    lead(host: string): string
    maxUses: string
    noLimit: string
    times(count: number): string
    expiresIn: string
    never: string
    /** By seconds. */
    lifetimes: Record<1800 | 3600 | 21600 | 43200 | 86400 | 604800, string>
    autofollow: string
    submit: string
    own: string
    none: string
    used(uses: number, maxUses: number | null): string
    until(at: string): string
    forever: string
    over: string
    follows: string
    invitees: string
    end: string
    tooMany(max: number): string
    forbidden: Notice
    bad: Notice
  }
  signOut: { lead: string; submit: string; done: Notice }
  faults: Record<FaultName, Notice>
  mail: { subject(host: string): string; greeting: string; why(host: string): string; ignore: string }
  resetMail: { subject(host: string): string; why(host: string): string; ignore: string }
  emailChangeMail: { subject(host: string): string; why(host: string): string; ignore: string }
  notificationMails: {
    none: Notice
    title: string
    lead: string
    /** What each kind is about, as a choice and behind 'mail about'. */
    kinds: Record<MailKind, string>
    submit: string
    saved: string
    /** The subject of a mail, and the sentence it begins with. */
    sentences: Record<Exclude<MailKind, 'digest' | StaffMailKind>, (who: string, host: string) => string>
    digest: { subject(host: string): string; lead(count: string, host: string): string; others(count: number): string }
    why(kind: string): string
    unsubscribe: { title: string; lead(kind: string): string; submit: string; done: Notice; bad: Notice }
  }
  staffMails: Record<StaffMailKind, { subject(host: string): string; lead(count: number, host: string): string }> & {
    /** A report: about whom, filed by whom. */
    about(who: string, by: string): string
    why(kind: string): string
  }
  noticeMails: Record<NoticeKind, { subject(host: string): string; text(host: string): string }> & {
    ifNotYou: string
    /** Where the person sees what was done, and may appeal. */
    strike(url: string): string
  }
}
