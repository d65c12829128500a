import { Refusal } from '../refusal.ts'
import { jsonAnswer, type Answer, type Ask } from '../service.ts'
import { errorAnswer, invalidParameter } from './refusals.ts'
import type { Tokens } from './tokens.ts'

/** `GET /login` */
export function login(ask: Ask, tokens: Tokens): Answer {
  const token = tokens.issue(ask.headers['authorization'])
  return token === undefined ? errorAnswer(401) : jsonAnswer(200, { token })
}

/** `POST /register`: the fields are in a JSON body. The new account has the free plan. */
export function register(ask: Ask, tokens: Tokens): Answer {
  const { username, password, email } = readFields(ask.body)
  for (const [name, value] of Object.entries({ username, password, email })) {
    if (typeof value !== 'string' || value === '') throw missingField(name)
  }
  const isStrong = [/[a-z]/i, /\d/, /[^a-z\d]/i, /.{8}/].every(rule => rule.test(String(password)))
  if (!isStrong)
    return jsonAnswer(400, {
      error: 'Your password must have at least 8 characters, with a letter, a digit and a special character.',
    })
  if (!/^\S+@\S+$/.test(String(email))) return jsonAnswer(400, { error: 'That is not an e-mail address.' })
  const account = { username: String(username), password: String(password), plan: 'free' } as const
  return tokens.register(account)
    ? jsonAnswer(200, { ok: 'User created', user: account.username })
    : jsonAnswer(400, { error: 'That username is taken. Please choose another.' })
}

/** `GET /password` */
export function resetPassword(ask: Ask): Answer {
  return ask.query.get('username')
    ? jsonAnswer(200, { ok: 'Please check your email for the password reset link' })
    : jsonAnswer(400, { error: 'A problem occurred, your request could not be processed' })
}

function readFields(body: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(body) as object) }
  } catch {
    throw new Refusal(
      jsonAnswer(422, { detail: [{ loc: ['body'], msg: 'value is not valid JSON', type: 'value_error.jsondecode' }] }),
    )
  }
}

function missingField(name: string): Refusal {
  const { answer } = invalidParameter(name, 'field required', 'value_error.missing')
  return new Refusal({ ...answer, body: String(answer.body).replace('"query"', '"body"') })
}
