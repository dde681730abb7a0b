/** The name of the form field with the CSRF token. */
export const FORM_TOKEN = 'form_token'
