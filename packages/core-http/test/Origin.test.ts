import { Origin } from "@vigil/core-http"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

describe("Origin", () => {
  it.each([
    ["http://localhost/", true],
    ["http://127.255.0.9:1/", true],
    ["http://2130706433/", true],
    ["http://[::1]:80/", true],
    ["http://localhost.example/", false],
    ["http://a.127.0.0.1.example/", false],
    ["http://[::ffff:7f00:1]/", false],
    ["http://127.0.0.1.evil.example", false],
  ])("detects whether %s is on this machine: %s", (url, isLoopback) => {
    expect(Origin.isExposed(new URL(url))).toBe(!isLoopback)
  })

  it("accepts a path in a base URL, but not in a trusted origin", () => {
    expect(Result.getOrThrow(Origin.parseBase("https://service.example/v1/")).href).toBe("https://service.example/v1/")
    expect(Result.flip(Origin.parseTrusted("https://service.example/v1"))).toMatchObject({
      success: { reason: "path" },
    })
    expect(Result.getOrThrow(Origin.parseTrusted("https://service.example/")).origin).toBe("https://service.example")
  })
})
