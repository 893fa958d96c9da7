import { describe, expect, it } from "@effect/vitest"
import { HttpError } from "@vigil/core-http"

const errorOf = (code: string | undefined) =>
  new HttpError.TransportError({ service: "thing", operation: "Thing.get", origin: "https://service.example", code })

describe("a failed connection", () => {
  it.each([
    [undefined, "the connection failed"],
    ["ECONNREFUSED", "the connection was refused (ECONNREFUSED)"],
    ["ECONNRESET", "the connection was reset (ECONNRESET)"],
    ["ENOTFOUND", "the host is unknown (ENOTFOUND)"],
    ["CERT_HAS_EXPIRED", "its certificate is invalid (CERT_HAS_EXPIRED)"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is invalid (UNABLE_TO_VERIFY_LEAF_SIGNATURE)"],
    ["ERR_SIGNATURE_ALGORITHM", "ERR_SIGNATURE_ALGORITHM"],
    ["EPIPE", "EPIPE"],
  ])("with the code %s is explained", (code, reason) => {
    expect(errorOf(code).message).toBe(
      `Thing.get: no complete response from the thing service at https://service.example: ${reason}. Check the URL and the network.`,
    )
  })

  it.each([
    ["ERR_HTTP_INVALID_HEADER_VALUE", false],
    ["ERR_INVALID_CHAR", false],
    ["ERR_UNESCAPED_CHARACTERS", false],
    ["ERR_SSL_ERR_INVALID_X", true],
    ["", true],
    [undefined, true],
  ])("with the code %s is retryable: %s", (code, retryable) => {
    expect(errorOf(code).retryable).toBe(retryable)
  })
})
