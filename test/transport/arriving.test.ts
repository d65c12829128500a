import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { BodyReader } from '../../src/transport/arriving.ts'
import { Failure } from '../../src/transport/failure.ts'
import { answer, startScripted, type Script } from '../support/scripted-server.ts'
import { ask, failureOf } from '../support/wire-exchange.ts'

const TEXT = Buffer.from(Array.from({ length: 5000 }, (_, at) => `${at},${at * at}\n`).join(''))

/** Counts the parts, and gives their text at the end. */
function collecting(): BodyReader & { parts: number } {
  const parts: Buffer[] = []
  return {
    parts: 0,
    take(part) {
      this.parts += 1
      parts.push(Buffer.from(part))
    },
    end: () => Buffer.concat(parts).toString(),
  }
}

const serving =
  (body: Buffer, headers: Record<string, string> = {}): Script =>
  visit =>
    answer(visit, { body, headers })

describe('a body that is read while it arrives', () => {
  it.each<[string, (body: Buffer) => Buffer]>([
    ['identity', body => body],
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('R50: is the same whichever way it is packed: %s', async (encoding, pack) => {
    const server = await startScripted(serving(pack(TEXT), { 'content-encoding': encoding }))
    const raw = await ask(server.url, { reader: collecting }).end
    expect(raw.streamed).toBe(TEXT.toString())
    expect(raw.body).toHaveLength(0)
    expect(raw.bytes).toBe(pack(TEXT).length)
  })

  it('comes in parts, before its end', async () => {
    let release = (): void => {}
    const server = await startScripted(async ({ response }) => {
      response.writeHead(200)
      response.write('first')
      await new Promise<void>(resolve => (release = resolve))
      response.end('second')
    })
    const seen: string[] = []
    const reader: BodyReader = {
      take(part) {
        seen.push(part.toString())
        if (seen.length === 1) release()
      },
      end: () => seen,
    }
    const asking = ask(server.url, { reader: () => reader })
    // The server sends the second part only when the first has been taken.
    await expect(asking.end).resolves.toMatchObject({ streamed: ['first', 'second'] })
  })

  it('hears of every part: silence is measured inside it, too', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200)
      response.write('first')
    })
    const failure = await failureOf(ask(server.url, { reader: collecting }))
    expect(failure).toMatchObject({ class: 'read_timeout', begun: true })
  })

  it.each<[string, Script]>([
    [
      'R51: a length that is not reached',
      ({ response, socket }) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half', () => socket.end())
      },
    ],
    [
      'R51: chunks without their end mark',
      ({ response, socket }) => {
        response.writeHead(200)
        response.write('half', () => socket.end())
      },
    ],
    ['R50 F35: a packing without its end', serving(gzipSync(TEXT).subarray(0, -9), { 'content-encoding': 'gzip' })],
    ['R50: a packing that is none', serving(TEXT, { 'content-encoding': 'br' })],
  ])('%s is an answer cut short', async (_, script) => {
    const server = await startScripted(script)
    await expect(ask(server.url, { reader: collecting }).end).rejects.toMatchObject({
      class: 'lost',
      message: expect.stringMatching(/^incomplete answer: /) as string,
    })
  })

  it('R53: is bounded, unpacked', async () => {
    const server = await startScripted(serving(gzipSync(TEXT), { 'content-encoding': 'gzip' }))
    const most = TEXT.length - 1
    await expect(ask(server.url, { reader: collecting, maxBytes: most }).end).rejects.toMatchObject({
      class: 'too_large',
    })
    await expect(ask(server.url, { reader: collecting, maxBytes: TEXT.length }).end).resolves.toBeDefined()
  })

  it('ends at once in what its reader throws', async () => {
    const server = await startScripted(({ response }) => {
      response.writeHead(200)
      response.write('no table')
    })
    const failure = new Failure('no table', { class: 'bad_response' })
    const reader: BodyReader = {
      take() {
        throw failure
      },
      end: () => undefined,
    }
    const asking = ask(server.url, { reader: () => reader })
    await expect(asking.end).rejects.toBe(failure)
    while (server.open > 0) await new Promise(resolve => setTimeout(resolve, 1))
  })

  it('is collected where nobody wants to read it', async () => {
    const server = await startScripted(serving(TEXT))
    const raw = await ask(server.url, { reader: ({ status }) => (status === 500 ? collecting() : undefined) }).end
    expect(raw).toMatchObject({ body: TEXT })
    expect(raw.streamed).toBeUndefined()
  })
})
