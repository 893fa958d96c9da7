import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { folder } from "../support/folder.js"
import { serveSubscriptions } from "../support/service.js"
import { vigil } from "../support/subprocess.js"

describe("the process", () => {
  it("accepts a certificate of NODE_EXTRA_CA_CERTS, and prints its expiry", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { origin } = yield* serveSubscriptions([Reply.page([])], { tls: true })
        const certificate = join(yield* folder, "certificate.pem")
        writeFileSync(certificate, Faults.certificate)
        const env = { HEALTH_BASE_URL: origin, HEALTH_ACCESS_TOKEN: "x", NODE_EXTRA_CA_CERTS: certificate }
        const { code, stdout } = yield* Effect.promise(() => vigil(["doctor", "-s", "x"], { env }))
        expect(stdout).toMatch(/health TLS\tok\tTLSv1\.\d, the certificate is valid until .* \d{4} GMT/)
        expect(stdout).toMatch(/health api-version\tok\t/)
        expect(code).toBe(0)
      }),
    ).pipe(Effect.runPromise))

  it.each([
    ["events watch --once", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ vigil: .+\n$/],
    ["events list", /^vigil: .+\n$/],
  ])("notes of %s, without a terminal, begin as %s", async (command, note) => {
    // Nothing listens on this port.
    const { stderr } = await vigil([...command.split(" "), "-s", "x", "--base-url", "http://127.0.0.1:1"])
    expect(stderr).toMatch(note)
  })
})
