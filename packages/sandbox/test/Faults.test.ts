import { request } from "node:https"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ask, get, speak } from "./client.js"

describe("a fault server", () => {
  it.effect("replies in order, repeating the last reply, or by the request and its index", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([Reply.text("a"), Reply.text("b")])
      const responses = yield* Effect.replicateEffect(ask(origin), 3)
      expect(responses.map(({ body }) => body)).toEqual(["a", "b", "b"])
      const server = yield* Faults.serve(({ method, target }, index) => Reply.json([method, target, index]))
      yield* ask(server.origin)
      expect((yield* ask(`${server.origin}/b?c`, { method: "DELETE" })).body).toBe(`["DELETE","/b?c",1]`)
    }),
  )

  it.effect.each([
    ["has no reply left", [], /has no reply/],
    [
      "throws",
      () => {
        throw new Error("oops")
      },
      /script of this fault server failed: .*oops/,
    ],
    ["has a reply that dies", [Effect.die("oops")], /script of this fault server failed: .*oops/],
  ] as const)("responds with 500 and the reason if its script %s", ([, script, sentence]) =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(script)
      const { body, status } = yield* ask(origin)
      expect(status).toBe(500)
      expect(body).toMatch(sentence)
    }),
  )

  it.effect("records every request byte for byte", () =>
    Effect.gen(function* () {
      const { bytes, origin, requests } = yield* Faults.serve([Reply.empty(204)])
      const target = "/a?c='|'?$d=%2B%2f+"
      const sent = `POST ${target} HTTP/1.1\r\nAuthorization: a\r\nauthorization:b\r\nX-A: 1\r\nx-a:2\r\ncontent-length: 3\r\n\r\n\xc3\xa9!`
      yield* speak(origin, sent, (text) => text.endsWith("\r\n\r\n"))
      expect(yield* requests).toEqual([
        {
          method: "POST",
          target,
          headers: { authorization: "a, b", "x-a": "1, 2", "content-length": "3" },
          body: "é!",
          origin,
          secure: false,
        },
      ])
      expect(yield* bytes).toBe(sent)
    }),
  )

  it.effect("reads requests split in any way, and responds in order", () =>
    Effect.gen(function* () {
      const { bytes, origin, requests } = yield* Faults.serve((request) => Reply.text(`<${request.body}>`))
      const chunked = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n3;x\r\ncde\r\n0\r\n\r\n"
      const sized = "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nend"
      const { text } = yield* speak(origin, [...chunked, `${chunked}${sized}`], (received) =>
        received.includes("<end>"),
      )
      expect(yield* bytes).toBe(`${chunked}${chunked}${sized}`)
      expect(text.match(/<.*?>/g)).toEqual(["<abcde>", "<abcde>", "<end>"])
      expect((yield* requests).map(({ body }) => body)).toEqual(["abcde", "abcde", "end"])
    }),
  )

  it.effect.each(["nonsense\r\n\r\n", "\u0016\u0003\u0001", "GET / FTP/1.0\r\n\r\n"])(
    "rejects %j, which is not HTTP, and records it",
    (sent) =>
      Effect.gen(function* () {
        const { bytes, origin, requests } = yield* Faults.serve([Reply.text("never")])
        const { end, text } = yield* speak(origin, sent)
        expect(text).toMatch(/^HTTP\/1.1 400 /)
        expect(end).toBe("closed")
        expect(yield* requests).toEqual([])
        expect(yield* bytes).toBe(sent)
      }),
  )

  it.effect("waits for requests, and for connections to close", () =>
    Effect.gen(function* () {
      const { connections, awaitConnections, origin, awaitRequests } = yield* Faults.serve([Reply.silent])
      const waiting = yield* Effect.forkChild(awaitRequests(2))
      const asking = yield* Effect.forkChild(speak(origin, get("/first")))
      expect((yield* awaitRequests(1)).target).toBe("/first")
      yield* Effect.forkChild(speak(origin, get("/second")))
      expect((yield* Fiber.join(waiting)).target).toBe("/second")
      expect(yield* connections).toBe(2)
      yield* Fiber.interrupt(asking)
      yield* awaitConnections(1)
      expect(yield* connections).toBe(1)
    }),
  )

  it.effect("listens on 127.0.0.1 only", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([Reply.text("all")])
      const other = yield* speak(origin.replace("127.0.0.1", "127.0.0.2"), get())
      expect(other).toEqual({ text: "", end: "refused" })
    }),
  )

  it.effect.each([
    ["silent", Reply.silent],
    ["dripping", Reply.drip(".", 1)],
    ["sending without end", Reply.huge(2 ** 40)],
    ["compressing", Reply.bomb(2 ** 20)],
    ["waiting", Effect.as(Effect.never, Reply.text("never"))],
  ] as const)("closes all connections when its scope closes while it is %s", ([, reply]) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { connections, origin, awaitRequests } = yield* Scope.provide(Faults.serve([reply]), scope)
      const asking = yield* Effect.forkChild(speak(origin, get()))
      yield* awaitRequests(1)
      yield* Scope.close(scope, Exit.void)
      yield* Fiber.join(asking)
      expect(yield* connections).toBe(0)
      expect((yield* speak(origin, get())).end).toBe("refused")
    }),
  )
})

describe("a fault server with TLS", () => {
  const trusting = (origin: string, ca?: string) =>
    Effect.callback<number | undefined, Error>((resume) => {
      request(origin, { ...(ca === undefined ? {} : { ca }), agent: false }, (response) => {
        response.resume()
        response.once("end", () => resume(Effect.succeed(response.statusCode)))
      })
        .once("error", (error) => resume(Effect.fail(error)))
        .end()
    })

  it.effect("is rejected by clients that do not trust its certificate", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.json({})], { tls: true })
      expect(origin).toMatch(/^https:/)
      expect(yield* Effect.flip(trusting(origin))).toMatchObject({ code: expect.stringMatching(/SELF_SIGNED/) })
      expect(yield* requests).toEqual([])
      expect(yield* trusting(origin, Faults.certificate)).toBe(200)
      expect(yield* trusting(origin.replace("127.0.0.1", "localhost"), Faults.certificate)).toBe(200)
      expect(yield* requests).toMatchObject([{ secure: true, origin }, { secure: true }])
    }),
  )
})

describe("a reply", () => {
  /** Serves a reply. Returns the bytes that a client receives, and how the connection ends. */
  const receive = (reply: Reply.Reply, enough?: (text: string) => boolean) =>
    Effect.flatMap(Faults.serve([reply]), ({ origin }) => speak(origin, get("/", "connection: close\r\n"), enough))

  const bodyOf = (text: string) => text.slice(text.indexOf("\r\n\r\n") + 4)

  it.effect("with JSON, text, bytes or no body has its status, headers and length", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([
        Reply.json({ a: "é" }, { status: 201, headers: { "x-a": "1" } }),
        Reply.text("é"),
        Reply.bytes(Uint8Array.of(65)),
        Reply.empty(503, { "retry-after": "1" }),
        Reply.redirect(308, "/elsewhere"),
        Reply.page([1], null),
        Reply.page([]),
      ])
      const received = yield* Effect.replicateEffect(ask(origin), 7)
      const seen = received.map(({ body, headers, status }) => [status, body, Number(headers.get("content-length"))])
      expect(seen).toEqual([
        [201, `{"a":"é"}`, 10],
        [200, "é", 2],
        [200, "A", 1],
        [503, "", 0],
        [308, "", 0],
        [200, `{"value":[1],"nextLink":null}`, 29],
        [200, `{"value":[]}`, 12],
      ])
      expect(received[0]?.headers.get("x-a")).toBe("1")
      expect(received[0]?.headers.get("content-type")).toBe("application/json")
      expect(received[3]?.headers.get("retry-after")).toBe("1")
      expect(received[4]?.headers.get("location")).toBe("/elsewhere")
    }),
  )

  it.effect("is written unchanged if it is raw text, and sends no bytes if it resets the connection", () =>
    Effect.gen(function* () {
      expect(yield* receive(Reply.raw("\x00\xff"))).toEqual({ text: "\x00\xff", end: "closed" })
      expect(yield* receive(Reply.reset)).toEqual({ text: "", end: "reset" })
    }),
  )

  it.effect.each([
    ["resets within its body", Reply.resetWithin(Reply.text("123456789")), /content-length: 9\r\n[^]*\r\n\r\n12345$/],
    ["resets a stream before the final chunk", Reply.resetWithin(Reply.huge(100)), /\]\}\r\n$/],
    ["has a failing stream", { ...Reply.json({}), body: Stream.die("oops") }, /\r\n\r\n$/],
    ["is shorter than its length", Reply.shortBody(5)(Reply.text("123")), /content-length: 8\r\n[^]*\r\n\r\n123$/],
    ["cuts a stream", Reply.shortBody()(Reply.huge(1_000)), /^((?!content-length)[^])*$/],
  ] as const)("that %s closes the connection", ([, reply, pattern]) =>
    Effect.gen(function* () {
      const { end, text } = yield* receive(reply)
      expect(text).toMatch(pattern)
      // A client that is still reading may see a reset as a close.
      expect(["reset", "closed"]).toContain(end)
    }),
  )

  it.effect("that drips uses the system clock under a TestClock", () =>
    Effect.gen(function* () {
      const { text } = yield* receive(Reply.drip("drop", 1), (received) => received.split("drop").length > 3)
      expect(text).toMatch(/^HTTP\/1.1 200 /)
    }),
  )

  it.effect.each([
    ["in chunks", {}, null],
    ["with its length", { declared: true }, "3000000"],
  ] as const)("that is huge is an empty page of the given size, %s", ([, options, length]) =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve([Reply.huge(3_000_000, options)])
      const { body, headers } = yield* ask(origin)
      expect(body).toHaveLength(3_000_000)
      expect(JSON.parse(body)).toEqual({ value: [] })
      expect(headers.get("content-length")).toBe(length)
    }),
  )

  it.effect("lists each compression in content-encoding", () =>
    Effect.gen(function* () {
      const once = Reply.gzip(Reply.json({ a: 1 }))
      const replies = [once, Reply.gzip(once)]
      expect(replies.map(({ headers }) => headers["content-encoding"])).toEqual(["gzip", "gzip, gzip"])
      const { origin } = yield* Faults.serve(replies)
      expect((yield* ask(origin)).body).toBe(`{"a":1}`)
      const { text } = yield* speak(origin, get("/", "connection: close\r\n"))
      expect(gunzipSync(gunzipSync(Buffer.from(bodyOf(text), "latin1"))).toString()).toBe(`{"a":1}`)
    }),
  )

  it.effect("with a gzip bomb is small, and decompresses to an empty page of the given size", () =>
    Effect.gen(function* () {
      const { bytes, origin } = yield* Faults.serve([Reply.bomb(8)])
      const { text } = yield* speak(origin, get(), (received) => received.endsWith("\r\n0\r\n\r\n"))
      expect(text.length).toBeLessThan(20_000)
      const { body } = yield* ask(origin)
      expect(body).toHaveLength(8 * 1_048_576)
      expect(JSON.parse(body)).toEqual({ value: [] })
      expect(yield* bytes).toContain("GET / ")
    }),
  )

  it.effect("can be delayed until an effect completes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { origin, awaitRequests } = yield* Faults.serve([Effect.as(Deferred.await(gate), Reply.text("at last"))])
      const asking = yield* Effect.forkChild(ask(origin))
      yield* awaitRequests(1)
      expect(yield* Effect.sync(() => asking.pollUnsafe())).toBeUndefined()
      yield* Deferred.succeed(gate, undefined)
      expect((yield* Fiber.join(asking)).body).toBe("at last")
    }),
  )

  it.effect.each(["authorization", "x-api-token"])("can repeat the credential of %s", (header) =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve((request) => Reply.echo(request))
      const { body, headers, status } = yield* ask(origin, { headers: { [header]: "canary" } })
      expect(status).toBe(401)
      expect(JSON.parse(body)).toEqual({ code: "canary", message: expect.stringContaining("canary") })
      expect(headers.get("x-request-id")).toBe("canary")
      expect(JSON.parse((yield* ask(origin)).body)).toMatchObject({ code: "" })
    }),
  )
})

describe("a named fault", () => {
  const canary = "canary-7d1f0b"
  const headers = `authorization: Bearer ${canary}\r\nconnection: close\r\n`

  it("exists for every row that a server can cause", () => {
    const rows = new Set(Faults.names.map((name) => Faults.byName(name).row))
    const caused = [...Array.from({ length: 50 }, (_, index) => index + 1), 51, 52, 56, 57, 61]
    expect([...rows].toSorted((a, b) => a - b)).toEqual(caused)
  })

  /** Starts a fault and waits for its first bytes, or only for the request if the fault is `silent`. */
  const begin = (name: Faults.Name) =>
    Effect.gen(function* () {
      const started = yield* Faults.start(name)
      const received = yield* Effect.race(
        speak(started.server.origin, get("/list?api-version=2025-05-01", headers), (text) => text.length > 0),
        Effect.as(Effect.andThen(started.server.awaitRequests(1), silence(name)), {
          text: "",
          end: "enough" as const,
        }),
      )
      return { ...started, received }
    })
  const silence = (name: Faults.Name) => (name === "silent" ? Effect.void : Effect.never)

  it.effect.each(Faults.names)("starts: %s", (name) =>
    Effect.gen(function* () {
      const { foreign, received, scenario, server } = yield* begin(name)
      expect(scenario.name).toBe(name)
      expect(server.origin).toMatch(scenario.tls ? /^https:/ : /^http:/)
      expect(yield* foreign.bytes).toBe("")
      if (scenario.stopped) return expect(received.end).toBe("refused")
      expect(yield* server.bytes).toContain(canary)
      if (received.text === "")
        expect(["silent", "reset-before-headers", "reset-before-headers-once", "close-before-headers"]).toContain(name)
      else expect(received.text).toMatch(/^HTTP\/1\.1 \d{3} /)
    }),
  )

  it.effect("records requests to the other origin", () =>
    Effect.gen(function* () {
      const { foreign, server } = yield* Faults.start("next-link-other-port")
      const { body } = yield* ask(server.origin)
      const { nextLink } = JSON.parse(body) as { readonly nextLink: string }
      expect(nextLink).toContain(foreign.origin)
      expect((yield* ask(nextLink, { headers: { authorization: canary } })).body).toContain("FOREIGN")
      expect(yield* foreign.bytes).toContain(canary)
      expect(yield* server.requests).toHaveLength(1)
    }),
  )

  it.effect("records plain HTTP to a TLS port as a request to the other origin", () =>
    Effect.gen(function* () {
      const { foreign, server } = yield* Faults.start("next-link-http")
      yield* ask(server.origin.replace("https", "http"), { headers: { authorization: canary } })
      expect(yield* foreign.bytes).toContain(canary)
      expect(yield* server.bytes).toBe("")
    }),
  )

  it.effect("links pages in the described loops", () =>
    Effect.gen(function* () {
      const walk = (name: Faults.Name, steps: number) =>
        Effect.gen(function* () {
          const { server } = yield* Faults.start(name)
          const visited = [`${server.origin}/list`]
          for (let step = 0; step < steps; step++) {
            const { body } = yield* ask(visited.at(-1) ?? "")
            visited.push((JSON.parse(body) as { readonly nextLink: string }).nextLink)
          }
          return visited.map((link) => Number(/\d+$/.exec(link.slice(server.origin.length))?.[0] ?? 0))
        })
      expect(yield* walk("next-link-loop-self", 2)).toEqual([0, 0, 0])
      expect(yield* walk("next-link-loop-two", 4)).toEqual([0, 1, 2, 1, 2])
      expect(yield* walk("next-link-loop-long", 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1])
      expect(yield* walk("next-link-loop-late", 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 7])
      expect(yield* walk("endless-links", 3)).toEqual([0, 1, 2, 3])
    }),
  )
})
