// Creates and uses passkeys (WebAuthn) for forms that ask for one, and submits the browser's response in a field of the form. data-passkey
// is create or get; data-options has the options as JSON, with bytes in base64url. All other pages work without scripts.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const withBytes = (credentials) => credentials.map((each) => ({ ...each, id: bytes(each.id) }))

const make = async ({ user, ...options }) => {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  }
  const { id, response } = await navigator.credentials.create({ publicKey })
  const transports = response.getTransports ? response.getTransports() : []
  return {
    id,
    response: { clientDataJSON: textOf(response.clientDataJSON), attestationObject: textOf(response.attestationObject), transports },
  }
}

const use = async (options) => {
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: withBytes(options.allowCredentials) }
  const { id, response } = await navigator.credentials.get({ publicKey })
  return {
    id,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle ? textOf(response.userHandle) : '',
    },
  }
}

const send = async (form) => {
  const problem = form.querySelector('[data-problem]')
  problem.hidden = true
  try {
    const options = JSON.parse(form.dataset.options)
    const answer = await (form.dataset.passkey === 'create' ? make(options) : use(options))
    form.elements.credential.value = JSON.stringify(answer)
    form.submit()
  } catch {
    problem.hidden = false
  }
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
  }
}
