/** The name of the field that proves that a form is one of ours. */
export const FORM_TOKEN = 'form_token'
