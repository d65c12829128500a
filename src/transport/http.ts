import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import axios, { AxiosError, type AxiosInstance, type InternalAxiosRequestConfig } from 'axios'
import type { Clock } from '../clock.ts'
import { isReadable, readWhileArriving, type BodyReader } from './arriving.ts'
import { readBody, unpack } from './body.ts'
import { Failure } from './failure.ts'
import { watchSilence } from './silence.ts'

/** What sends and repeats requests. Named here so that no other file needs the library's own types. */
export type HttpClient = AxiosInstance
/** One request on its way through the client. */
export type HttpConfig = InternalAxiosRequestConfig

/** One request to be put on the wire, once. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly connectTimeoutMs: number
  readonly readTimeoutMs: number
  readonly maxBytes: number
  readonly proxy: string
  readonly signal: AbortSignal
  readonly clock: Clock
  /** The request is written to its connection. */
  readonly onSent: () => void
  /** Bytes arrived. */
  readonly onHeard: () => void
  /** What reads the body while it arrives; without one it is collected. */
  readonly reader?: (head: Pick<RawAnswer, 'status' | 'headers'>) => BodyReader | undefined
}

/** An answer, whole. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Unpacked; where it was read while it arrived, what the reader left. */
  readonly body: Buffer
  /** What was read while it arrived. */
  readonly streamed?: unknown
  /** Length on the wire. */
  readonly bytes: number
}

/** Connections of the process: kept alive, and never what keeps the process alive. */
const agents = { httpAgent: new http.Agent({ keepAlive: true }), httpsAgent: new https.Agent({ keepAlive: true }) }
const NOTHING = Buffer.alloc(0)
const sendOnce = axios.getAdapter('http')

/** An axios that leaves to us what we must decide: statuses, redirects, time-outs and the reading of bodies. */
export function createAxios(): HttpClient {
  return axios.create({
    ...agents,
    responseType: 'stream',
    decompress: false,
    maxRedirects: 0,
    timeout: 0,
    validateStatus: () => true,
    transformRequest: [data => data],
    transformResponse: [data => data],
  })
}

/** Our failure in the form that axios and axios-retry pass on. */
export function asAxiosError(failure: Failure, config: HttpConfig): AxiosError {
  return Object.assign(new AxiosError(failure.message, failure.class, config), { failure })
}

/** The failure inside an error that came out of axios. */
export function failureIn(thrown: unknown): Failure | undefined {
  const failure = (thrown as { failure?: unknown } | undefined)?.failure
  return failure instanceof Failure ? failure : undefined
}

/**
 * Sends one request and reads its answer to the last byte.
 *
 * Silence is measured here, by our own timer: a body that stalls and a connection that drops look the same to
 * the library, so the timer that fires says so before anything is destroyed.
 *
 * @throws Failure, or the signal's own reason
 */
export async function exchange(config: HttpConfig, request: Exchange): Promise<RawAnswer> {
  const { signal, clock } = request
  signal.throwIfAborted()
  const controller = new AbortController()
  const wire = { connected: false, sent: false }
  let verdict: { readonly thrown: unknown } | undefined
  const end = (thrown: unknown): void => {
    verdict ??= { thrown }
    controller.abort()
  }
  const abort = (): void => end(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let begun = false
  const watch = watchSilence(clock, request.connectTimeoutMs, request.readTimeoutMs, phase =>
    end(silenceFailure(phase, begun, request)),
  )
  const heard = (): void => {
    watch.heard()
    request.onHeard()
  }
  try {
    const response = await sendOnce({
      ...config,
      signal: controller.signal,
      ...proxyFor(request),
      transport: watchedTransport(
        wire,
        () => watch.connected(),
        () => {
          watch.heard()
          request.onSent()
        },
        heard,
      ),
    } as HttpConfig)
    heard()
    const message = response.data as IncomingMessage
    const headers = plainHeaders(message)
    const { status } = response
    const encoding = headers['content-encoding']
    const part = (): void => {
      begun = true
      heard()
    }
    const reader = request.reader?.({ status, headers })
    if (reader && isReadable(encoding)) {
      const bytes = await readWhileArriving(message, reader, { encoding, maxBytes: request.maxBytes, heard: part })
      watch.end()
      return { status, headers, bytes, ...readBy(reader) }
    }
    const packed = await readBody(message, request.maxBytes, part)
    // All of it is here: unpacking takes time, but it is no silence of the other end.
    watch.end()
    const body = await unpack(packed, encoding, request.maxBytes)
    const bytes = packed.length
    if (reader === undefined) return { status, headers, bytes, body }
    reader.take(body)
    return { status, headers, bytes, ...readBy(reader) }
  } catch (thrown) {
    if (verdict) throw verdict.thrown
    throw thrown instanceof Failure ? thrown : connectionFailure(thrown, wire)
  } finally {
    watch.end()
    signal.removeEventListener('abort', abort)
  }
}

function readBy(reader: BodyReader): Pick<RawAnswer, 'body' | 'streamed'> {
  return { streamed: reader.end(), body: reader.rest?.() ?? NOTHING }
}

/** Node's own client with an ear on the socket: when it connects, when the request is on the wire, and when a byte comes. */
function watchedTransport(
  wire: { connected: boolean; sent: boolean },
  onConnected: () => void,
  onSent: () => void,
  onByte: () => void,
) {
  return {
    request(options: https.RequestOptions, onResponse: (message: IncomingMessage) => void) {
      const secure = options.protocol === 'https:'
      const request = (secure ? https : http).request(options, onResponse)
      const connected = (): void => {
        wire.connected = true
        onConnected()
      }
      request.once('socket', socket => {
        if (socket.connecting) socket.once(secure ? 'secureConnect' : 'connect', connected)
        else connected()
        // Headers come slowly, too, and a gateway may say time and again that it is still at work.
        socket.on('data', onByte)
        request.once('close', () => socket.off('data', onByte))
      })
      request.once('finish', () => {
        wire.sent = true
        onSent()
      })
      return request
    },
  }
}

/** Proxy variables are followed as usual, but never for a server on this machine. */
function proxyFor({ proxy, url }: Exchange): object {
  if (proxy === 'none' || isLoopback(new URL(url).hostname)) return { proxy: false }
  if (proxy === 'environment') return {}
  const { protocol, hostname, port, username, password } = new URL(proxy)
  const auth = username
    ? { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
    : {}
  return { proxy: { protocol, host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), ...auth } }
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

function plainHeaders(message: IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}

function silenceFailure(
  phase: 'connect' | 'read',
  begun: boolean,
  { connectTimeoutMs, readTimeoutMs }: Exchange,
): Failure {
  return phase === 'connect'
    ? new Failure(`no connection within ${connectTimeoutMs} ms`, { class: 'not_connected', systemCode: 'ETIMEDOUT' })
    : new Failure(`no byte for ${readTimeoutMs} ms${begun ? ' inside the body' : ''}`, { class: 'read_timeout', begun })
}

/** Codes that say the same on every try. */
const SETTLED =
  /^(?:ENOTFOUND|EAI_NONAME|EAI_NODATA|ERR_INVALID_URL|ERR_BAD_REQUEST|ERR_INVALID_PROTOCOL|ERR_TLS_.*|ERR_SSL_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|HOSTNAME_MISMATCH|EPROTO|ERR_UNESCAPED_CHARACTERS|ERR_INVALID_CHAR)$/

function connectionFailure(thrown: unknown, wire: { connected: boolean; sent: boolean }): Failure {
  const { code = '', message = String(thrown) } = Object(thrown) as { code?: string; message?: string }
  const facts = { systemCode: code || undefined }
  if (SETTLED.test(code)) return new Failure(`cannot be reached: ${message}`, { class: 'unreachable', ...facts })
  if (!wire.connected) return new Failure(`not connected: ${message || code}`, { class: 'not_connected', ...facts })
  if (!wire.sent)
    return new Failure(`the connection was reset before the request was written: ${message}`, {
      class: 'not_connected',
      ...facts,
    })
  return new Failure(`the connection was lost before the answer was whole: ${message}`, { class: 'lost', ...facts })
}
