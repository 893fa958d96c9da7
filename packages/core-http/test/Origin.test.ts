import { Origin } from "@vigil/core-http"
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
})
