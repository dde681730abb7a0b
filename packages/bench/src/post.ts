/** Publishes a status and returns its id. @throws Error when it was refused */
export const post = async (origin: string, token: string, status: string): Promise<string> => {
  const response = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  const body = (await response.json()) as { id?: string; error?: string }
  if (!body.id) throw new Error(`the post was refused: ${body.error}`)
  return body.id
}
