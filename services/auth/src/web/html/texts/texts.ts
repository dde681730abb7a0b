import type { Language } from '@rookery/pages'

/** The faults that a page can show. */
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

/** Acts of moderators on an account. */
type WarningKind = 'warned' | 'statusesDeleted' | 'statusesMarked' | 'sensitized' | 'disabled' | 'silenced' | 'suspended'

/** The kinds of mail about a change of an account or its credentials. */
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

/** The kinds of mail to staff, each about one kind of pending item. */
export type StaffMailKind = 'report' | 'appeal' | 'pendingAccount'

/** The kinds of mail that accounts choose: about types of notifications, a digest of all types, and mail to staff. */
export type MailKind = 'mention' | 'follow' | 'followRequest' | 'digest' | StaffMailKind

type Notice = { title: string; text: string }

/** The message beside a field of the sign-up form, by field and code of the violation; `any` is for other fields. */
type ViolationTexts = Record<string, Record<string, string>> & { any: Record<string, string> }

/** All texts of pages and mails, in one language. */
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
    /** Descriptions of umbrella scopes, and of scopes that are not granular. */
    whole: Record<string, string>
    read(things: string): string
    write(things: string): string
    adminRead(things: string): string
    adminWrite(things: string): string
    /** Names of the second half of a granular scope. */
    things: Record<string, string>
  }
  postForm: { title: string; submit: string }
  showCode: { title: string; lead: string; label: string }
  signUp: {
    title: string
    lead(host: string): string
    /** Shown on the page of an invitation; the username has no @. */
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
  /** The message for an account that may not sign in although the password is correct, by reason. */
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
    /** Shown for a file of another kind than was chosen. */
    otherKind: string
    reading(done: number, lines: number): string
    read(done: number, lines: number): string
    failures(count: number): string
  }
  move: {
    title: string
    lead: string
    /** Shown to an account that moved; the username has no @. */
    moved(username: string): string
    acct: string
    /** Explains the form of a handle. */
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
  /** Acts of staff on an account, and its appeals. */
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
  /** Links to invite others to sign up. */
  invites: {
    title: string
    lead(host: string): string
    maxUses: string
    noLimit: string
    times(count: number): string
    expiresIn: string
    never: string
    /** By lifetime in seconds. */
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
    /** The subject of each kind, as a label and after 'mail about'. */
    kinds: Record<MailKind, string>
    submit: string
    saved: string
    /** The subject line of a mail, and its first sentence. */
    sentences: Record<Exclude<MailKind, 'digest' | StaffMailKind>, (who: string, host: string) => string>
    digest: { subject(host: string): string; lead(count: string, host: string): string; others(count: number): string }
    why(kind: string): string
    unsubscribe: { title: string; lead(kind: string): string; submit: string; done: Notice; bad: Notice }
  }
  staffMails: Record<StaffMailKind, { subject(host: string): string; lead(count: number, host: string): string }> & {
    /** A report: the handles of the reported account and of its author. */
    about(who: string, by: string): string
    why(kind: string): string
  }
  noticeMails: Record<NoticeKind, { subject(host: string): string; text(host: string): string }> & {
    ifNotYou: string
    /** Links the page of a strike, where its account may appeal. */
    strike(url: string): string
  }
}
