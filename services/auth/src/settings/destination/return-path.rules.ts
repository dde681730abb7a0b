/** Pages of this server that send people to sign in and take them back: those of staff, of the account, and of what staff did to it. */
const OF_OURS = /^\/(?:admin|settings|disputes)(?:[/?][\w\-./?=&%+]*)?$/

/** Where someone goes after signing in, if the address that sent them is a page of ours; nothing else in it counts. */
export const returnPath = (text: string | undefined): string | undefined =>
  text !== undefined && OF_OURS.test(text) && !text.includes('//') ? text : undefined
